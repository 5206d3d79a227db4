"""English words whose forms no stemmer joins: irregular verbs and plurals. Regular forms are left to FTS5's porter."""

_GROUPS = """
    arise arose arisen; awake awoke awoken; bear bore borne; beat beaten; become became; begin began begun; bend
    bent; bind bound; bite bit bitten; bleed bled; blow blew blown; break broke broken; breed bred; bring
    brought; build built; burn burnt; buy bought; catch caught; choose chose chosen; cling clung; come came;
    creep crept; deal dealt; die dies died dying; dig dug; draw drew drawn; dream dreamt; drink drank drunk;
    drive drove driven; eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found; flee fled;
    fly flew flown;
    forbid forbade forbidden; forget forgot forgotten; forgive forgave forgiven; freeze froze frozen; get got
    gotten; give gave given; go went gone; grind ground; grow grew grown; hang hung; have had; hear heard; hide
    hid hidden; hold held; keep kept; kneel knelt; know knew known; lay laid; lead led; lean leant; leap leapt;
    learn learnt; leave left; lend lent; lie lay lain; light lit; lose lost; make made; mean meant; meet met;
    overcome overcame; pay paid; prove proven; ride rode ridden; ring rang rung; rise rose risen; run ran; say
    said; see saw seen; seek sought; sell sold; send sent; sew sewn; shake shook shaken; shine shone; shoot
    shot; show shown; shrink shrank shrunk; sing sang sung; sink sank sunk; sit sat; sleep slept; slide slid;
    speak spoke spoken; spell spelt; spend spent; spill spilt; spin spun; spring sprang sprung; stand stood;
    steal stole stolen; stick stuck; sting stung; strike struck stricken; strive strove striven; swear swore
    sworn; sweep swept; swell swollen; swim swam swum; swing swung; take took taken; teach taught; tear tore
    torn; tell told; think thought; throw threw thrown; understand understood; wake woke woken; wear wore worn;
    weave wove woven; weep wept; win won; withdraw withdrew withdrawn; write wrote written; child children; man
    men; woman women; foot feet; tooth teeth; mouse mice; goose geese; person people; life lives; wife wives;
    knife knives; leaf leaves; shelf shelves; wolf wolves; half halves; loaf loaves; thief thieves
"""

FORMS: dict[str, tuple[str, ...]] = {}
"""Each form -> all forms of its word, the base first; a form of two words belongs to the first of them."""

for _group in _GROUPS.split(";"):
    _forms = tuple(_group.split())
    for _form in _forms:
        FORMS.setdefault(_form, _forms)
