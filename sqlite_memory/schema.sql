-- sqlite_memory: the long-term memory of an agent in one SQLite file.
--
-- This file is the whole design. Load it with any SQLite from 3.40 up and the database is a valid memory file:
--     sqlite3 agent_memory.db < schema.sql
-- Read it in order: the memories, the index that finds them, the triggers that keep the two in step, the policy
-- that says what matters for how long, and the views that hold every formula.
--
-- Conventions: times are UTC text of one form, 2026-11-29T21:42:10.123Z (other forms that SQLite reads are converted
-- on the way in). Days are days of 86,400 seconds. A scope is one user of one agent; searches stay inside a scope.

PRAGMA application_id = 1397572941;  -- 0x534D454D, "SMEM": how other programs know the file
PRAGMA user_version = 1;             -- version of this schema


---------------------------------------------------------------------------------------------------- the memories

CREATE TABLE memories (
  id                INTEGER PRIMARY KEY AUTOINCREMENT,   -- never used twice, also after a delete
  uid               TEXT NOT NULL DEFAULT (lower(hex(randomblob(16)))),  -- the same memory in another file
  agent_id          TEXT NOT NULL DEFAULT 'default',     -- scope, part 1: which agent remembers
  user_id           TEXT NOT NULL DEFAULT 'default',     -- scope, part 2: about or for which user
  session_id        TEXT,                                -- the conversation it comes from
  memory_type       TEXT NOT NULL DEFAULT 'fact',        -- a row of memory_types, or a type of your own
  key               TEXT,                                -- optional name: one current memory for a scope, type and key
  content           TEXT NOT NULL CHECK (trim(content) <> ''),  -- what is remembered, as it was given
  metadata          TEXT NOT NULL DEFAULT '{}',          -- a JSON object; tags are its $.tags, a list of texts
  importance        REAL NOT NULL DEFAULT 5.0 CHECK (importance BETWEEN 0 AND 10),  -- 0 (nothing) to 10 (vital)
  access_count      INTEGER NOT NULL DEFAULT 0 CHECK (access_count >= 0),  -- how often it was recalled
  last_accessed_at  TEXT,                                -- when it was last recalled; NULL = never
  created_at        TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),  -- when it was said or learnt
  updated_at        TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')),  -- last edit; a recall is none
  valid_from        TEXT,                                -- true from then on; created_at unless given
  valid_to          TEXT,                                -- superseded or withdrawn then; NULL = still true
  expires_at        TEXT,                                -- gone from recall then, and from the file at the next sweep
  version           INTEGER NOT NULL DEFAULT 1,          -- goes up by 1 with every edit
  pinned            INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),  -- 1 = no sweep may take it

  -- What the index needs. Python writes these; where plain SQL writes, triggers do.
  content_segmented TEXT,                                -- the words of content, joined by spaces
  characters        TEXT,                                -- its Chinese, kana and hangul characters, joined by spaces
  fingerprint       TEXT,                                -- equal for texts that differ in form only; 32 hex digits
  needs_segment     INTEGER NOT NULL DEFAULT 0,          -- 1 = written by plain SQL, to be segmented at the next open
  scope             TEXT GENERATED ALWAYS AS (hex(agent_id) || 'x' || hex(user_id)) VIRTUAL,  -- as one word
  words             INTEGER GENERATED ALWAYS AS (        -- length: how many words
                      length(content_segmented) - length(replace(content_segmented, ' ', '')) + 1) VIRTUAL
) STRICT;

CREATE INDEX memories_by_time ON memories (agent_id, user_id, created_at);
CREATE INDEX memories_by_importance ON memories (agent_id, user_id, valid_to, importance);
CREATE INDEX memories_by_session ON memories (agent_id, user_id, session_id, created_at) WHERE session_id IS NOT NULL;
CREATE INDEX memories_by_key ON memories (agent_id, user_id, memory_type, key) WHERE key IS NOT NULL;
CREATE INDEX memories_by_uid ON memories (uid);
CREATE INDEX memories_by_fingerprint ON memories (fingerprint);
CREATE INDEX memories_by_expiry ON memories (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX memories_to_segment ON memories (id) WHERE needs_segment = 1;


---------------------------------------------------------------------------------------------------- the index

-- Words carry the meaning; single characters repair what segmentation cuts differently in question and memory; the
-- scope is one more word, so that a search reads the postings of its own scope.
CREATE VIRTUAL TABLE memories_fts USING fts5(
  content_segmented, characters, scope,
  content = 'memories', content_rowid = 'id', tokenize = 'porter unicode61'
);
INSERT INTO memories_fts (memories_fts, rank) VALUES ('rank', 'bm25(1.0, 0.3, 0.0)');
-- No crisis merges: when SQLite 3.40 and 3.54 wrote in turn, those brought deleted words back. Automatic merges stay.
INSERT INTO memories_fts (memories_fts, rank) VALUES ('crisismerge', 1900);
-- Python merges a few pages with each write, from 3 parts of a level on: so no commit has 4 of them to merge at once.
INSERT INTO memories_fts (memories_fts, rank) VALUES ('usermerge', 3);

-- How many memories and words each scope holds, for BM25's totals. Kept by triggers.
CREATE TABLE scopes (
  agent_id  TEXT NOT NULL,                               -- as in memories
  user_id   TEXT NOT NULL,                               -- as in memories
  memories  INTEGER NOT NULL,                            -- rows
  words     INTEGER NOT NULL,                            -- sum of memories.words
  PRIMARY KEY (agent_id, user_id)
) STRICT, WITHOUT ROWID;

-- Words of the file's own dictionary: names and terms that Chinese segmentation must keep whole.
CREATE TABLE dictionary (
  word      TEXT PRIMARY KEY NOT NULL                    -- Chinese characters only, Simplified
) STRICT, WITHOUT ROWID;


---------------------------------------------------------------------------------------------------- index triggers

-- An external-content index must be given the old values exactly when a row leaves it. Two AFTER triggers of one event
-- fire in no order to rely on, so their WHEN clauses exclude each other.

CREATE TRIGGER memories_insert AFTER INSERT ON memories WHEN new.content_segmented IS NOT NULL BEGIN
  SELECT RAISE(ABORT, 'this id exists: use UPDATE or INSERT ... ON CONFLICT DO UPDATE, not REPLACE')
   WHERE EXISTS (SELECT 1 FROM memories_fts_docsize WHERE id = new.id);
  INSERT INTO memories_fts (rowid, content_segmented, characters, scope)
  VALUES (new.id, new.content_segmented, new.characters, new.scope);
END;

-- A row of plain SQL: searchable at once by its raw words, flagged for segmentation.
CREATE TRIGGER memories_insert_raw AFTER INSERT ON memories WHEN new.content_segmented IS NULL BEGIN
  SELECT RAISE(ABORT, 'this id exists: use UPDATE or INSERT ... ON CONFLICT DO UPDATE, not REPLACE')
   WHERE EXISTS (SELECT 1 FROM memories_fts_docsize WHERE id = new.id);
  UPDATE memories SET content_segmented = new.content, characters = NULL, fingerprint = NULL, needs_segment = 1
   WHERE id = new.id;
END;

CREATE TRIGGER memories_delete AFTER DELETE ON memories BEGIN
  INSERT INTO memories_fts (memories_fts, rowid, content_segmented, characters, scope)
  SELECT 'delete', old.id, old.content_segmented, old.characters, old.scope
   WHERE EXISTS (SELECT 1 FROM memories_fts_docsize WHERE id = old.id);
END;

-- Only columns that the index holds are named: a recall that counts an access never rewrites the index.
CREATE TRIGGER memories_update AFTER UPDATE OF id, content_segmented, characters, agent_id, user_id ON memories
WHEN new.content IS old.content OR new.content_segmented IS NOT old.content_segmented BEGIN
  INSERT INTO memories_fts (memories_fts, rowid, content_segmented, characters, scope)
  SELECT 'delete', old.id, old.content_segmented, old.characters, old.scope
   WHERE EXISTS (SELECT 1 FROM memories_fts_docsize WHERE id = old.id);
  SELECT RAISE(ABORT, 'this id exists: use UPDATE or INSERT ... ON CONFLICT DO UPDATE, not REPLACE')
   WHERE EXISTS (SELECT 1 FROM memories_fts_docsize WHERE id = new.id);
  INSERT INTO memories_fts (rowid, content_segmented, characters, scope)
  VALUES (new.id, new.content_segmented, new.characters, new.scope);
END;

-- Content edited by plain SQL: the old words are gone at once, the new ones are raw until segmented.
CREATE TRIGGER memories_update_raw AFTER UPDATE OF content ON memories
WHEN new.content IS NOT old.content AND new.content_segmented IS old.content_segmented BEGIN
  INSERT INTO memories_fts (memories_fts, rowid, content_segmented, characters, scope)
  SELECT 'delete', old.id, old.content_segmented, old.characters, old.scope
   WHERE EXISTS (SELECT 1 FROM memories_fts_docsize WHERE id = old.id);
  SELECT RAISE(ABORT, 'this id exists: use UPDATE or INSERT ... ON CONFLICT DO UPDATE, not REPLACE')
   WHERE EXISTS (SELECT 1 FROM memories_fts_docsize WHERE id = new.id);
  UPDATE memories SET content_segmented = new.content, characters = NULL, fingerprint = NULL, needs_segment = 1
   WHERE id = new.id;
END;

-- A word that enters or leaves the dictionary flags the memories that hold it.
CREATE TRIGGER dictionary_insert AFTER INSERT ON dictionary BEGIN
  UPDATE memories SET needs_segment = 1 WHERE instr(replace(characters, ' ', ''), new.word) > 0;
END;

CREATE TRIGGER dictionary_delete AFTER DELETE ON dictionary BEGIN
  UPDATE memories SET needs_segment = 1 WHERE instr(replace(characters, ' ', ''), old.word) > 0;
END;


---------------------------------------------------------------------------------------------------- totals

CREATE TRIGGER scopes_insert AFTER INSERT ON memories BEGIN
  INSERT INTO scopes SELECT new.agent_id, new.user_id, 0, 0
   WHERE NOT EXISTS (SELECT 1 FROM scopes WHERE agent_id = new.agent_id AND user_id = new.user_id);
  UPDATE scopes SET memories = memories + 1, words = words + coalesce(new.words, 0)
   WHERE agent_id = new.agent_id AND user_id = new.user_id;
END;

CREATE TRIGGER scopes_delete AFTER DELETE ON memories BEGIN
  UPDATE scopes SET memories = memories - 1, words = words - coalesce(old.words, 0)
   WHERE agent_id = old.agent_id AND user_id = old.user_id;
  DELETE FROM scopes WHERE agent_id = old.agent_id AND user_id = old.user_id AND memories = 0;
END;

CREATE TRIGGER scopes_update AFTER UPDATE OF content_segmented, agent_id, user_id ON memories BEGIN
  INSERT INTO scopes SELECT new.agent_id, new.user_id, 0, 0
   WHERE NOT EXISTS (SELECT 1 FROM scopes WHERE agent_id = new.agent_id AND user_id = new.user_id);
  UPDATE scopes SET memories = memories - 1, words = words - coalesce(old.words, 0)
   WHERE agent_id = old.agent_id AND user_id = old.user_id;
  UPDATE scopes SET memories = memories + 1, words = words + coalesce(new.words, 0)
   WHERE agent_id = new.agent_id AND user_id = new.user_id;
  DELETE FROM scopes WHERE agent_id = old.agent_id AND user_id = old.user_id AND memories = 0;
END;


---------------------------------------------------------------------------------------------------- versions and times

-- Every edit counts, by SQL too; a recall does not. A time that only changes its form is not an edit.
CREATE TRIGGER memories_version AFTER UPDATE OF agent_id, user_id, session_id, memory_type, key, content, metadata,
  importance, created_at, valid_from, valid_to, expires_at, pinned ON memories
WHEN (new.version IS old.version OR new.updated_at IS old.updated_at) AND (
  (new.agent_id, new.user_id, new.session_id, new.memory_type, new.key, new.content, new.metadata, new.importance,
   new.pinned, julianday(new.created_at), julianday(coalesce(new.valid_from, new.created_at)),
   julianday(new.valid_to), julianday(new.expires_at))
  IS NOT
  (old.agent_id, old.user_id, old.session_id, old.memory_type, old.key, old.content, old.metadata, old.importance,
   old.pinned, julianday(old.created_at), julianday(coalesce(old.valid_from, old.created_at)),
   julianday(old.valid_to), julianday(old.expires_at))
) BEGIN
  UPDATE memories SET version = CASE WHEN new.version IS old.version THEN old.version + 1 ELSE new.version END,
                      updated_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')
   WHERE id = new.id;
END;

-- Times that plain SQL wrote in another form that SQLite reads (datetime('now'), '+08:00', a date) get the one form;
-- one that nobody can read is kept, counts as age 0 and makes nothing old.
CREATE TRIGGER memories_times_insert AFTER INSERT ON memories
WHEN new.valid_from IS NULL
  OR strftime('%Y-%m-%dT%H:%M:%fZ', new.created_at) <> new.created_at
  OR strftime('%Y-%m-%dT%H:%M:%fZ', new.valid_from) <> new.valid_from
  OR strftime('%Y-%m-%dT%H:%M:%fZ', new.valid_to) <> new.valid_to
  OR strftime('%Y-%m-%dT%H:%M:%fZ', new.expires_at) <> new.expires_at
  OR strftime('%Y-%m-%dT%H:%M:%fZ', new.last_accessed_at) <> new.last_accessed_at BEGIN
  UPDATE memories SET created_at = created_at, valid_from = coalesce(valid_from, created_at) WHERE id = new.id;
END;

CREATE TRIGGER memories_times_update
AFTER UPDATE OF created_at, valid_from, valid_to, expires_at, last_accessed_at ON memories
WHEN strftime('%Y-%m-%dT%H:%M:%fZ', new.created_at) <> new.created_at
  OR strftime('%Y-%m-%dT%H:%M:%fZ', new.valid_from) <> new.valid_from
  OR strftime('%Y-%m-%dT%H:%M:%fZ', new.valid_to) <> new.valid_to
  OR strftime('%Y-%m-%dT%H:%M:%fZ', new.expires_at) <> new.expires_at
  OR strftime('%Y-%m-%dT%H:%M:%fZ', new.last_accessed_at) <> new.last_accessed_at BEGIN
  UPDATE memories SET
    created_at = coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', created_at), created_at),
    valid_from = coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', valid_from), valid_from),
    valid_to = coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', valid_to), valid_to),
    expires_at = coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', expires_at), expires_at),
    last_accessed_at = coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', last_accessed_at), last_accessed_at)
   WHERE id = new.id;
END;


---------------------------------------------------------------------------------------------------- one current memory a key

-- Of two memories with the same scope, type and key the later one closes the earlier one; valid_from says which is
-- later, not the order of arrival. A memory that arrives late ends where its successor begins, and its predecessor ends
-- where it begins itself, so that one is true at a time. One that arrives closed closes nothing.
CREATE TRIGGER memories_supersede_insert AFTER INSERT ON memories WHEN new.key IS NOT NULL AND new.valid_to IS NULL BEGIN
  UPDATE memories SET key = key WHERE id = new.id;
END;

CREATE TRIGGER memories_supersede_update AFTER UPDATE OF key, memory_type, agent_id, user_id ON memories
WHEN new.key IS NOT NULL AND new.valid_to IS NULL BEGIN
  UPDATE memories SET valid_to = (
      SELECT min(strftime('%Y-%m-%dT%H:%M:%fZ', coalesce(later.valid_from, later.created_at))) FROM memories AS later
       WHERE later.agent_id = new.agent_id AND later.user_id = new.user_id AND later.memory_type = new.memory_type
         AND later.key = new.key AND later.id <> new.id
         AND julianday(coalesce(later.valid_from, later.created_at)) > julianday(coalesce(new.valid_from, new.created_at)))
   WHERE id = new.id;
  UPDATE memories SET valid_to = coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', coalesce(new.valid_from, new.created_at)),
                                          strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
   WHERE agent_id = new.agent_id AND user_id = new.user_id AND memory_type = new.memory_type AND key = new.key
     AND id <> new.id
     AND coalesce(julianday(valid_to) > julianday(coalesce(new.valid_from, new.created_at)), valid_to IS NULL)
     AND coalesce(julianday(coalesce(valid_from, created_at)) <= julianday(coalesce(new.valid_from, new.created_at)), 1);
END;


---------------------------------------------------------------------------------------------------- policy

-- Change a row and every process that uses the file follows.

CREATE TABLE memory_types (
  memory_type     TEXT PRIMARY KEY NOT NULL,                              -- as in memories
  importance      REAL NOT NULL CHECK (importance BETWEEN 0 AND 10),      -- default of Python's remember()
  min_importance  REAL NOT NULL CHECK (min_importance BETWEEN 0 AND 10),  -- remember() refuses what is below
  half_life       REAL NOT NULL CHECK (half_life > 0),                    -- days until recency is one half
  verbatim        INTEGER NOT NULL CHECK (verbatim IN (0, 1)),            -- 1 = a turn: ranked with its neighbours
  comment         TEXT NOT NULL                                           -- what belongs here
) STRICT, WITHOUT ROWID;

INSERT INTO memory_types VALUES
  ('fact',       5.0, 2.0,  90.0, 0, 'something true of the user or the world; types without a row count as this'),
  ('preference', 6.0, 2.0, 180.0, 0, 'what the user likes, dislikes or wants done in a certain way'),
  ('state',      4.0, 2.0,  30.0, 0, 'how things stand just now'),
  ('skill',      6.0, 2.0, 180.0, 0, 'how something is done'),
  ('episode',    3.0, 2.0,  30.0, 1, 'one turn of a conversation, word for word'),
  ('episodic',   3.0, 2.0,  30.0, 1, 'another name of episode'),
  ('summary',    5.0, 2.0, 180.0, 0, 'a conversation in short');

CREATE TABLE policy (
  name     TEXT PRIMARY KEY NOT NULL,                    -- what the views and Python look it up by
  value    REAL NOT NULL,                                -- in the unit that the comment names
  comment  TEXT NOT NULL                                 -- what it does
) STRICT, WITHOUT ROWID;

INSERT INTO policy VALUES
  ('schema_version',        1,    'version of this schema, as in user_version'),
  ('pipeline_version',      1,    'version of the text pipeline that segmented the rows; Python compares it at open'),
  ('min_length',            4,    'remember() refuses shorter text; characters, a Chinese character counts double'),
  ('max_length',            8000, 'remember() refuses longer text; characters'),
  ('refuse_noise',          1,    '1 = remember() refuses text of acknowledgements, greetings and fillers only; 0 = lets it in'),
  ('refuse_unwanted',       1,    '1 = remember() refuses what the user asks not to remember ("off the record"); 0 = lets it in'),
  ('refuse_unimportant',    1,    '1 = remember() refuses what is below min_importance of its type; 0 = lets it in'),
  ('reinforce_exact',       1,    '1 = the same text again reinforces the memory that has it; 0 = makes a new one'),
  ('reinforce_near',        0.9,  'likeness from which on a text that adds no word reinforces (below 0.86: also one that leaves some out); 0 = never'),
  ('report_near',           0.6,  'likeness from which on a nearly equal memory is named beside the new one; 0 = never'),
  ('report_contradiction',  0.6,  'likeness from which on another number, date or negation is named; 0 = never'),
  ('sensitive_secret',      3,    'passwords, keys, tokens: 0 = allow, 1 = flag, 2 = mask, 3 = refuse'),
  ('sensitive_identity',    3,    'identity and passport numbers: 0 = allow, 1 = flag, 2 = mask, 3 = refuse'),
  ('sensitive_card',        3,    'bank cards and IBANs: 0 = allow, 1 = flag, 2 = mask, 3 = refuse'),
  ('sensitive_contact',     1,    'phone, email, postal address: 0 = allow, 1 = flag, 2 = mask, 3 = refuse'),
  ('sensitive_health',      1,    'words about illness and treatment: 0 = allow, 1 = flag, 2 = mask, 3 = refuse'),
  ('sensitive_finance',     1,    'words about income and debt: 0 = allow, 1 = flag, 2 = mask, 3 = refuse'),
  ('reinforcement',         0.5,  'importance that the same content gains when it is remembered again'),
  ('forget_max_age_days',   90,   'the sweep takes what was not recalled (or created) for so many days (0 = never) ...'),
  ('forget_min_importance', 4.0,  '... and is less important than this'),
  ('access_half',           4,    'accesses that bring the access part of strength to one half'),
  ('small_scope',           3000, 'memories of a scope up to which every match is ranked'),
  ('summary_min_turns',     4,    'summarize() leaves sessions of fewer turns alone'),
  ('summary_share',         0.3,  'characters of the built-in summary against those of the session ...'),
  ('summary_min_length',    200,  '... but at least so many characters ...'),
  ('summary_max_length',    2000, '... and at most so many'),
  ('summary_keeps_turns',   0,    'the turns of a summarised session: 0 = keep, 1 = close (valid_to), 2 = delete'),
  ('first_cut',             10000, 'above that the rarest terms choose, which match so many (or a 20th of the scope) together'),
  ('strength_weight',       0.15, 'w in score = relevance * (1 - w + w * strength); over 0.3 old facts are lost'),
  ('length_weight',         0.06, 'k1 * b / (1 + k1) of BM25 with k1 = 1.2, b = 0.1: how much a long memory loses'),
  ('long_turn',             100,  'words from which on a turn loses: the root of this over its words; 0 = none does'),
  ('character_weight',      0.3,  'a single Chinese character against a word'),
  ('expansion_weight',      0.3,  'a word of the best two memories against a word of the question; 0 = one pass only'),
  ('speaker_factor',        1.4,  'a turn whose speaker the question names'),
  ('number_factor',         1.2,  'a memory with digits where the question asks when or how many'),
  ('date_factor',           2.0,  'a memory of a day that the question names ...'),
  ('date_share',            0.3,  '... and what it gets of the points of the best memory'),
  ('passage_weight',        0.5,  'a turn gets so much of the terms of itself and two turns before and after'),
  ('answer_weight',         0.5,  'a turn gets so much of the points of the question before it'),
  ('session_weight',        0.6,  'a turn gets so much of the mean of the three best turns of its session'),
  ('topic_weight',          1.2,  'of a type without a row: so much of the best points x the share of its session, squared');


---------------------------------------------------------------------------------------------------- formulas

-- How alive each memory is at a moment, from 0 to 1. The moment goes in as JSON:
--     SELECT * FROM strength_at WHERE moment = json_array('2026-11-29T00:00:00.000Z')
-- recency = 1 / (1 + days / half_life), one half at the half-life, never above 1. Days count from the last recall
-- that the moment knows of, else from the creation. Accesses close up to half of the gap between importance and 10.
CREATE VIEW strength_at AS
SELECT
  id,
  recency * (importance_part + (1.0 - importance_part) * access_part / 2.0) AS strength,  -- 0 to 1
  importance_part,                                       -- importance / 10
  access_part,                                           -- accesses / (accesses + access_half)
  recency,                                               -- 1 / (1 + days / half_life)
  days,                                                  -- since the last recall, else the creation; never below 0
  half_life,                                             -- of the type, in days
  moment                                                 -- JSON list of one time
FROM (
  SELECT
    id, days, half_life, moment,
    importance / 10.0 AS importance_part,
    access_count / (access_count + (SELECT value FROM policy WHERE name = 'access_half')) AS access_part,
    1.0 / (1.0 + days / half_life) AS recency
  FROM (
    SELECT
      m.id, m.importance, m.access_count, t.json AS moment,
      max(0.0, coalesce(julianday(t.value) - coalesce(
        CASE WHEN m.last_accessed_at <= t.value THEN julianday(m.last_accessed_at) END, julianday(m.created_at)), 0.0)) AS days,
      coalesce((SELECT half_life FROM memory_types WHERE memory_type = m.memory_type),
               (SELECT half_life FROM memory_types WHERE memory_type = 'fact'), 90.0) AS half_life
    FROM memories AS m, json_each AS t
  )
);

-- The same, now.
CREATE VIEW strength AS
SELECT id, strength, importance_part, access_part, recency, days, half_life
FROM strength_at WHERE moment = json_array(strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));

-- Search by hand, best first, everything that is true now:
--     SELECT id, content, score FROM recall WHERE query MATCH 'deploy OR window' ORDER BY score DESC LIMIT 10;
-- The query is FTS5's language. Chinese words are joined by OR; 'characters : "深 色"' finds adjacent characters.
CREATE VIEW recall AS
SELECT
  m.id, m.agent_id, m.user_id, m.session_id, m.memory_type, m.key, m.content, m.metadata, m.importance, m.created_at,
  -f.rank AS relevance,                                  -- BM25 over words (weight 1) and characters (0.3), above 0
  s.strength,                                            -- 0 to 1
  -f.rank * (1.0 - w.value + w.value * s.strength) AS score,  -- relevance, a little less where strength is low
  f.memories_fts AS query                                -- what MATCH looks into
FROM memories_fts AS f
JOIN memories AS m ON m.id = f.rowid
JOIN strength AS s ON s.id = f.rowid
JOIN policy AS w ON w.name = 'strength_weight'
WHERE (m.valid_to IS NULL OR coalesce(julianday(m.valid_to) > julianday('now'), 0))
  AND (m.expires_at IS NULL OR coalesce(julianday(m.expires_at) > julianday('now'), 1));

-- What the policy's sweep would take now, and why. One statement sweeps:
--     DELETE FROM memories WHERE id IN (SELECT id FROM forgettable);
CREATE VIEW forgettable AS
SELECT
  m.id, m.agent_id, m.user_id, m.session_id, m.memory_type, m.content, m.importance, m.access_count,
  s.days,                                                -- since the last recall, else the creation
  s.strength,                                            -- 0 to 1
  CASE WHEN julianday(m.expires_at) <= julianday('now') THEN 'expired' ELSE 'faded' END AS reason
FROM memories AS m
JOIN strength AS s ON s.id = m.id
WHERE m.pinned = 0
  AND (julianday(m.expires_at) <= julianday('now')
    OR ((SELECT value FROM policy WHERE name = 'forget_max_age_days') > 0
      AND s.days >= (SELECT value FROM policy WHERE name = 'forget_max_age_days')
      AND m.importance < (SELECT value FROM policy WHERE name = 'forget_min_importance')));
