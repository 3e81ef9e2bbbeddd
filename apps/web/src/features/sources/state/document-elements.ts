/** Elements that a document may have. */
export const allowedTags: readonly string[] =
  "a abbr address article aside b bdi bdo blockquote br caption center cite code col colgroup dd del details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main ol p pre q rp rt ruby s samp section small span strong sub summary sup table tbody td tfoot th thead time tr u ul var wbr".split(
    " ",
  );
/** Removed with their content, as the parser does; the content of other elements is kept. */
export const removedTags: readonly string[] =
  "audio button canvas dialog embed frame frameset head iframe input link meta nav noembed noframes noscript object plaintext script select style svg template textarea title video xmp".split(
    " ",
  );
export const allowedAttributes: readonly string[] =
  "alt colspan dir href lang reversed rowspan scope src start".split(" ");
