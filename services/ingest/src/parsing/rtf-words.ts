/** Groups without document text: colours, pictures, properties and the like. */
export const unreadGroups = new Set([
  ...["colortbl", "info", "pict", "fldinst", "listtable", "listoverridetable", "rsidtbl"],
  ...["generator", "themedata", "colorschememapping", "latentstyles", "datastore", "xmlnstbl"],
  ...["filetbl", "revtbl", "pnseclvl", "bkmkstart", "bkmkend", "nonshppict", "wgrffmtfilter"],
  ...["background", "panose", "falt", "mmathPr", "objdata", "objclass", "objname", "shprslt", "xe"],
  ...[
    "tc",
    "rxe",
    "txe",
    "ftnsep",
    "ftnsepc",
    "ftncn",
    "aftnsep",
    "aftnsepc",
    "aftncn",
    "template",
  ],
  ...["atrfstart", "atrfend", "atndate", "atntime", "atnparent", "atnref", "atnicn", "pgptbl"],
  ...["private", "keycode", "docvar", "userprops", "formfield", "datafield", "stylesheet"],
]);
/** Groups that old readers skip (`\*`) and that have text nevertheless. */
export const optionalGroups = new Set([
  ...["cs", "ts", "ds", "moMath", "moMathPara", "oMath", "oMathPara", "mr"],
  ...["annotation", "atnauthor", "ud", "footnote", "shptxt", "dptxbxtext"],
]);
/** Groups of text inside skipped ones: text boxes, and what an object shows. */
export const innerGroups = new Set(["shptxt", "dptxbxtext", "result"]);
export const headerGroups = new Set(["header", "headerl", "headerr", "headerf"]);
export const footerGroups = new Set(["footer", "footerl", "footerr", "footerf"]);

export const symbolWords = new Map([
  ["line", "\n"],
  ["lbr", "\n"],
  ["softline", "\n"],
  ["tab", "\t"],
  ["emdash", "—"],
  ["endash", "–"],
  ["bullet", "•"],
  ["lquote", "‘"],
  ["rquote", "’"],
  ["ldblquote", "“"],
  ["rdblquote", "”"],
  ["emspace", " "],
  ["enspace", " "],
  ["qmspace", " "],
]);
export const paragraphWords = new Set(["par", "sect", "page", "column", "softpage"]);
