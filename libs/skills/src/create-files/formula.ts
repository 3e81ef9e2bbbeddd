import { ToolError } from "../tool.ts";

/**
 * Functions that only compute. All others are refused: some request addresses (WEBSERVICE, IMAGE,
 * HYPERLINK), read other files or start programs (RTD, CALL, DDE).
 */
const allowed = new Set(
  `ABS ACOS AND ASIN ATAN ATAN2 AVEDEV AVERAGE AVERAGEA AVERAGEIF AVERAGEIFS CEILING CHAR CHOOSE CLEAN
  CODE COLUMN COLUMNS COMBIN CONCAT CONCATENATE CORREL COS COUNT COUNTA COUNTBLANK COUNTIF COUNTIFS
  CUMIPMT CUMPRINC DATE DATEDIF DATEVALUE DAY DAYS DAYS360 DB DDB DEGREES EDATE EOMONTH EVEN EXACT EXP
  FACT FALSE FILTER FIND FIXED FLOOR FORECAST FREQUENCY FV GCD GEOMEAN GROWTH HARMEAN HLOOKUP HOUR IF
  IFERROR IFNA IFS INDEX INT INTERCEPT IPMT IRR ISBLANK ISERROR ISEVEN ISLOGICAL ISNA ISNUMBER ISODD
  ISTEXT LARGE LCM LEFT LEN LET LINEST LN LOG LOG10 LOOKUP LOWER MATCH MAX MAXA MAXIFS MEDIAN MID MIN
  MINA MINIFS MINUTE MOD MODE MONTH MROUND NA NETWORKDAYS NORMDIST NORMSDIST NOT NOW NPER NPV NUMBERVALUE
  ODD OR PERCENTILE PERCENTRANK PI PMT POWER PPMT PRODUCT PROPER PV QUARTILE QUOTIENT RADIANS RAND
  RANDBETWEEN RANK RATE REPLACE REPT RIGHT ROUND ROUNDDOWN ROUNDUP ROW ROWS SEARCH SECOND SIGN SIN SLN
  SLOPE SMALL SORT SQRT STDEV STDEVP SUBSTITUTE SUBTOTAL SUM SUMIF SUMIFS SUMPRODUCT SUMSQ SWITCH TAN
  TEXT TEXTJOIN TIME TIMEVALUE TODAY TRANSPOSE TREND TRIM TRUE TRUNC UNIQUE UPPER VALUE VAR VARP VLOOKUP
  WEEKDAY WEEKNUM WORKDAY XIRR XLOOKUP XMATCH XNPV YEAR YEARFRAC STDEV.S STDEV.P VAR.S VAR.P RANK.EQ
  PERCENTILE.INC QUARTILE.INC MODE.SNGL CEILING.MATH FLOOR.MATH NETWORKDAYS.INTL WORKDAY.INTL`.split(
    /\s+/,
  ),
);
/** Newer functions, which files name with a prefix. */
const prefixed = new Set(
  `CONCAT IFS MAXIFS MINIFS SWITCH TEXTJOIN XLOOKUP XMATCH UNIQUE LET STDEV.S STDEV.P VAR.S VAR.P RANK.EQ
  PERCENTILE.INC QUARTILE.INC MODE.SNGL CEILING.MATH FLOOR.MATH IFNA NUMBERVALUE DAYS`.split(/\s+/),
);
const longest = 2_000;
/** A text, or the quoted name of a sheet, whichever begins first; doubled quotes stand for one. */
const quoted = /"(?:[^"]|"")*"|'(?:[^']|'')*'(?=!)/;
const quotedOrCall = new RegExp(
  `${quoted.source}|([\\p{L}_][\\p{L}\\p{M}\\p{N}_.]*)(\\s*\\()`,
  "gu",
);

/** A formula as Excel's files hold it; ToolError if it could do more than compute. */
export function checkFormula(formula: string, at: string): string {
  const text = formula.trim().replace(/^=/, "").trim();
  const refuse = (why: string): never => {
    throw new ToolError(`The formula in ${at} ${why}.`);
  };
  if (text === "") refuse("is empty");
  if (text.length > longest) refuse(`is longer than ${longest} characters`);
  // oxlint-disable-next-line no-control-regex
  if (/[\0-\x08\x0A-\x1F\x7F]/.test(text)) refuse("has control characters");
  const bare = text.replace(new RegExp(quoted, "g"), (part) => {
    if (part.startsWith('"')) return '""';
    if (/["[\]\\/]/.test(part)) refuse("refers to a sheet whose name isn't allowed");
    return "Sheet";
  });
  if (/["']/.test(bare.replaceAll('""', ""))) refuse("has a quote that isn't closed");
  if (!/^[\p{L}\p{M}\p{N}_.$:!,;()+\-*/^&=<>%" \t]*$/u.test(bare))
    refuse("refers to something outside the file, or uses syntax that isn't allowed");
  let depth = 0;
  for (const character of bare) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (depth < 0) break;
  }
  if (depth !== 0) refuse("has a parenthesis without its other half");
  return text.replace(quotedOrCall, (whole, name?: string, rest?: string) => {
    if (name === undefined) return whole;
    const plain = name.toUpperCase().replace(/^(?:_XLFN\.|_XLWS\.)+/, "");
    if (!allowed.has(plain)) refuse(`uses ${plain.slice(0, 40)}, which isn't allowed`);
    if (plain === "FILTER" || plain === "SORT") return `_xlfn._xlws.${plain}${rest ?? ""}`;
    return `${prefixed.has(plain) ? "_xlfn." : ""}${plain}${rest ?? ""}`;
  });
}
