// Imports and syntax that only some places may use: for oxlint.config.ts.
export const noEnvironment = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: "Only libs/config reads the environment; take the value from the configuration.",
};
export const noFetch = {
  selector: "CallExpression[callee.name='fetch']",
  message: "Only libs/egress leaves the instance; use its content client or provider fetch.",
};
/** A class that needs more does several things. */
const maxDependencies = 7;
export const tooManyDependencies = {
  selector: `MethodDefinition[kind='constructor'] > FunctionExpression[params.length>${maxDependencies}]`,
  message: `At most ${maxDependencies} dependencies: split the class by concern.`,
};
export const noHash = {
  selector: "PrivateIdentifier",
  message: "Write `private`; `#` is for keys, which must never be printed.",
};
/** What people read is in the languages' files. */
const untranslated = "Move the text to src/locales, so that it can be translated.";
export const noTexts = [
  { selector: "JSXText[value=/[A-Za-z]{2}/]", message: untranslated },
  {
    selector: "JSXExpressionContainer > Literal[value=/[A-Za-z]{2}/]:not(JSXAttribute *)",
    message: untranslated,
  },
  {
    selector:
      "JSXAttribute[name.name=/^(aria-label|aria-description|title|alt|label)$/] > Literal[value=/[A-Za-z]{2}/]",
    message: untranslated,
  },
];
/** Pages update asynchronously, so a single read comes too early on some machine. */
const looks =
  "count|title|textContent|allTextContents|innerText|allInnerTexts|inputValue|getAttribute|isVisible|isDisabled|isEnabled|isChecked|boundingBox";
const pageAssertions =
  "toBeVisible|toBeHidden|toBeAttached|toBeEnabled|toBeDisabled|toBeChecked|toBeFocused|toContainText|toHaveAttribute|toHaveCount|toHaveScreenshot|toHaveText|toHaveTitle|toHaveURL|toHaveValue";
const withoutAwait = "Without await it checks nothing.";
export const tooEarly = [
  {
    selector: `CallExpression[callee.name='expect'] > AwaitExpression.arguments > CallExpression[callee.property.name=/^(${looks})$/]`,
    message: "Use an assertion that waits, like await expect(locator).toHaveText(…).",
  },
  {
    selector: "CallExpression[callee.name='expect'] > .arguments Identifier[name='gateway']",
    message: "The page may not have sent it yet; use await expect.poll(() => gateway…).",
  },
  {
    selector: "CallExpression[callee.property.name='waitForTimeout']",
    message: "Wait for what is to come, not for a time.",
  },
  {
    selector: `ExpressionStatement > CallExpression[callee.property.name=/^(${pageAssertions})$/]`,
    message: withoutAwait,
  },
  {
    selector:
      "ExpressionStatement > CallExpression > MemberExpression > CallExpression[callee.object.name='expect'][callee.property.name='poll']",
    message: withoutAwait,
  },
  {
    selector:
      "ExpressionStatement > CallExpression > MemberExpression > CallExpression[callee.name='poll']",
    message: withoutAwait,
  },
];
/** Texts by their usual names, and what string methods return. */
const textNames =
  "text|title|name|filename|question|answer|message|content|heading|reply|description|snippet|quote|excerpt|prompt|query|subject|label|line|words|passage|sentence|mode|fieldname|userAgent";
const textMethods =
  "trim|trimEnd|trimStart|replace|replaceAll|toLowerCase|normalize|toWellFormed|join";
/** A limit, rather than a position that was found in the text or the size of a sample. */
const limits =
  ":matches([arguments.1.value<5000], [arguments.1.name=/^(max|most|longest|limit|room)/], [arguments.1.left.name=/^(max|most|longest|limit|room)/], [arguments.1.object.name=/^limit/], [arguments.1.property.name=/^(max|most|longest)/])";
const cutMessage =
  "Use clipText of @carrel/contracts: it cuts between whole characters, and PostgreSQL refuses half of one in jsonb.";
export const cutTexts = [
  {
    selector: `CallExpression[callee.property.name=/^(slice|substring|substr)$/][arguments.0.value=0]${limits}:matches([callee.object.name=/^(${textNames})$/], [callee.object.property.name=/^(${textNames})$/], [callee.object.callee.property.name=/^(${textMethods})$/], [callee.object.callee.name='String'], [callee.object.type='TemplateLiteral'])`,
    message: cutMessage,
  },
  {
    selector:
      "CallExpression[callee.property.name='join'][arguments.0.value=''][callee.object.callee.property.name='slice']:matches([callee.object.callee.object.type='ArrayExpression'], [callee.object.callee.object.callee.property.name='from'])",
    message: cutMessage,
  },
];
const onlyIn = (names, message) => names.map((name) => ({ regex: `^${name}(/|$)`, message }));
export const redis = onlyIn(["ioredis", "bullmq"], "Only libs/messaging knows Redis.");
export const http = [
  ...onlyIn(["undici", "axios", "got", "node-fetch"], "Only libs/egress leaves the instance."),
  ...onlyIn(
    ["(node:)?https?", "(node:)?http2"],
    "Clients that leave the instance live in libs/egress.",
  ),
];
