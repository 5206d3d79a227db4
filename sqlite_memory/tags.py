"""The tags of a scope: the texts in `$.tags` of its memories' metadata."""

from __future__ import annotations

from .database import Database
from .incoming import Scope

# Metadata of other programs may be anything; what is no list of texts has no tags.
TAGS = """
SELECT t.value, count(DISTINCT m.id)
  FROM memories AS m,
       json_each(CASE WHEN json_valid(m.metadata) AND json_type(m.metadata, '$.tags') = 'array' THEN m.metadata
                      ELSE '{"tags":[]}' END, '$.tags') AS t
 WHERE m.agent_id = :agent_id AND m.user_id = :user_id AND t.type = 'text'
   AND (m.valid_to IS NULL OR coalesce(julianday(m.valid_to) > julianday('now'), 0))
   AND (m.expires_at IS NULL OR coalesce(julianday(m.expires_at) > julianday('now'), 1))
 GROUP BY t.value ORDER BY count(DISTINCT m.id) DESC, t.value
"""


def tags(database: Database, scope: Scope) -> dict[str, int]:
    """Return each tag and how many current memories have it, the most frequent first, then by name."""
    return {str(tag): int(str(count)) for tag, count in database.rows(TAGS, scope.bindings())}


RENAME = """
UPDATE memories SET metadata = json_set(metadata, '$.tags', json((
    SELECT json_group_array(DISTINCT CASE value WHEN :old THEN :new ELSE value END)
      FROM json_each(metadata, '$.tags'))))
 WHERE agent_id = :agent_id AND user_id = :user_id
   AND json_valid(metadata) AND json_type(metadata, '$.tags') = 'array'
   AND EXISTS (SELECT 1 FROM json_each(metadata, '$.tags') WHERE value = :old AND type = 'text')
"""


def rename(database: Database, scope: Scope, old: str, new: str) -> int:
    """Give memories that have the tag `old` the tag `new` instead, once, and return how many there were."""
    with database.writing() as connection:
        connection.execute(RENAME, {"old": old, "new": new, **scope.bindings()})
        return connection.changes()
