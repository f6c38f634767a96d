"""English words that carry no subject: left out of a query unless it has no others."""

_WORDS = """
    a about above after again against ain all also am an and any are aren as at be
    because been before being below between both but by can cannot could couldn d
    did didn do does doesn doing don down during each else ever few for from
    further had hadn has hasn have haven having he her here hers herself him
    himself his how however i if in into is isn it its itself just let ll m ma may
    me might mightn more most much must mustn my myself needn no nor not now o of
    off on once only or other ought our ours ourselves out over own per please re
    s same shall shan she should shouldn so some such t tell than that the their
    theirs them themselves then there these they this those though through thus to
    too under until up upon us ve very was wasn we were weren what whatever when
    whenever where wherever whether which while who whoever whom whose why will
    with won would wouldn y yes yet you your yours yourself yourselves ain't
    aren't can't couldn't didn't doesn't don't hadn't hasn't haven't isn't
    mightn't mustn't needn't shan't shouldn't wasn't weren't won't wouldn't
"""
ENGLISH = frozenset(_WORDS.split())
