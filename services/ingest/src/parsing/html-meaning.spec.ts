import { describe, expect, it } from "@jest/globals";
import { headingsOf, parse } from "../../test/parse.ts";

const text = async (html: string): Promise<string> => (await parse("a.html", html)).text;

describe("what a page means", () => {
  it.each([
    ["10<sup>6</sup> litres", "10^6 litres"],
    ["10<sup>&minus;3</sup>, 10<sup>n</sup>, 2<sup>n+1</sup>", "10^-3, 10^n, 2^(n+1)"],
    ["7 m<sup>2</sup>, 3 km<sup>2</sup>, x<sup>2</sup>", "7 m^2, 3 km^2, x^2"],
    ["(a+b)<sup>2</sup> e<sup>x</sup>", "(a+b)^2 e^x"],
    ["5<sup>th</sup>, 1<sup>st</sup>, 2<sup>e</sup>, M<sup>me</sup>", "5th, 1st, 2e, Mme"],
    ["Quay<sup>TM</sup> Pier<sup>new</sup>", "QuayTM Pier new"],
    ["note<sup>3</sup>. End.<sup>4</sup> Last<sup>5, 6</sup>", "note[3]. End.[4] Last[5, 6]"],
    ["cited<sup><a href='#1'>[1]</a></sup> and<sup>*</sup>", "cited[1] and*"],
    ["H<sub>2</sub>O, CO<sub>2</sub>, C<sub>6</sub>H<sub>12</sub>", "H2O, CO2, C6H12"],
    ["x<sub>1</sub>, a<sub>i</sub>, T<sub>max</sub>", "x_1, a_i, T_max"],
    ["log<sub>2</sub>8", "log_2 8"],
    ["Ca<sup>2+</sup>", "Ca^2+"],
    ["High water at <del>4</del><ins>5</ins>, price <s>40</s> 30", "High water at 5, price 40 30"],
    ["a<sup></sup>b<sup>c<p>d</p></sup>", "abc\n\nd"],
  ])("%s", async (html, right) => expect(await text(`<div>${html}</div>`)).toBe(right));

  it.each([
    ["<msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><mn>1</mn>", "x^2 + 1"],
    ["<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>", "(a + b)/2"],
    ["<msqrt><mi>x</mi></msqrt><mo>=</mo><mo>-</mo><mn>1</mn>", "√x = - 1"],
    [
      "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msub><mi>x</mi><mi>i</mi></msub>",
      "∑_(i = 1)^n x_i",
    ],
    [
      "<semantics><mrow><mi>F</mi><mo>&#x2061;</mo></mrow><annotation>\\mathrm{F}</annotation></semantics>",
      "F",
    ],
    ["<mi>a</mi><mo>&lt;</mo><mi>b</mi>", "a < b"],
    ["<mroot><mi>&alpha;</mi><mn>3</mn></mroot><mo>&InvisibleTimes;</mo><mi>y</mi>", "√[3]α y"],
    ["<msup><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></msup>", "(a + b)^2"],
    ["x <mo>&amp;</mo> <mi><b>y</b></mi> <mi>z", "x&yz"],
  ])("MathML: %s", async (math, right) => {
    expect(await text(`<p>Here <math>${math}</math> is</p>`)).toBe(`Here ${right} is`);
  });

  it.each([
    ["ruby", "<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字<rt>ji</rt></ruby>です</p>", "漢字です"],
    ["ruby without ends", "<p><ruby>漢<rt>kan<rt>x</ruby>です</p>", "漢字です".replace("字", "")],
    [
      "definition lists",
      "<dl><dt>Ebb</dt><dd>Water falls.</dd><dt>Flood</dt><dd>It rises.</dd></dl>",
      "Ebb\nWater falls.\nFlood\nIt rises.",
    ],
    ["details", "<details><summary>More</summary><p>Inside.</p></details>", "More\n\nInside."],
    [
      "captions of figures",
      '<figure><img src="a" alt="A harbour at dusk"><figcaption>Skarnholm</figcaption></figure>',
      "[Image: A harbour at dusk]\nSkarnholm",
    ],
    [
      "no icons",
      '<p>a<img alt=""><img alt="x.png"><img alt="arrow" width="16"><img alt="deco" role="presentation">b</p>',
      "ab",
    ],
    ["emoji", '<p>Done <img alt="✅"></p>', "Done ✅"],
    ["line breaks", "<p>a<br>b<br><br>c<br><br><br>d</p>", "a\nb\n\nc\n\nd"],
    [
      "fields",
      '<form><input value="Zephyrine"><input type="hidden" value="no"><textarea>A note</textarea><input type="checkbox" checked>Insured <input type="radio">Bonded<select><option>no<option selected>Trawler</select></form>',
      "ZephyrineA note☒ Insured ☐ BondedTrawler",
    ],
    [
      "frames of their own",
      '<p>a</p><iframe srcdoc="&lt;p&gt;Inside &amp;amp; out&lt;/p&gt;"></iframe>',
      "a\n\nInside & out",
    ],
    [
      "no hidden text",
      '<p>a<span hidden>no</span><span style="color:red; display: none">no</span><i style="visibility:hidden">no</i><b aria-hidden="true">no</b></p><template><p>no</p></template>',
      "a",
    ],
    ["text found by searching", '<div hidden="until-found">yes</div>', "yes"],
    ["components", '<x-a><template shadowrootmode="open"><p>yes</p></template></x-a>', "yes"],
    [
      "formulas with a picture",
      '<p>Is <span style="display: none;"><math><mi>x</mi></math></span><img alt="{\\displaystyle x}" aria-hidden="true"></p>',
      "Is x",
    ],
  ])("%s", async (_what, html, right) => expect(await text(html)).toBe(right));
});

describe("a page without content", () => {
  it.each([
    [
      "shows its navigation",
      "<nav><a>Home</a></nav><header><h1>Rules</h1></header><footer>Eulalia</footer>",
      ["Home", "Rules", "Eulalia"],
    ],
    [
      "shows what it shows without scripts",
      "<div id=root></div><noscript><p>Plain words</p></noscript>",
      ["Plain words"],
    ],
    [
      "shows what it shows without frames",
      "<frameset><frame src=a><noframes><body>Plain words</body></noframes></frameset>",
      ["Plain words"],
    ],
    [
      "shows what it hides",
      '<body><div style="visibility:hidden"><p>Words</p></div></body>',
      ["Words"],
    ],
    [
      "shows its metadata",
      '<head><title>T</title><meta name="description" content="Depths of quays"><meta itemprop="author" content="Ilse &amp; Co"><meta itemprop="image" content="https://x.y/z.png"></head><body></body>',
      ["Depths of quays", "Ilse & Co"],
    ],
  ])("%s", async (_what, html, has) => {
    const shown = await text(html);
    for (const words of has) expect(shown).toContain(words);
  });

  it("but none of that beside content", async () => {
    expect(await text("<nav>Home</nav><noscript>no</noscript><p>Text</p><footer>no</footer>")).toBe(
      "Text",
    );
  });
});

describe("the title of a page", () => {
  it("heads a text without a heading of the first level", async () => {
    const parsed = await parse("a.html", "<title>Tide &amp; time</title><h2>Ebb</h2><p>Falls.</p>");
    expect(parsed.text).toBe("Tide & time\n\nEbb\n\nFalls.");
    expect(headingsOf(parsed)).toEqual(["1 Tide & time", "2 Ebb"]);
    expect(await text("<title>Tides</title><h1>Own</h1><p>a</p>")).toBe("Own\n\na");
    expect(await text("<title>Tides</title><p>Tides of May</p>")).toBe("Tides of May");
  });
});

describe("tables", () => {
  it("have captions, and cells that span rows or columns repeat their value", async () => {
    expect(
      await text(
        "<table><caption>Depths</caption><tr><th>Port</th><th>Quay</th><th>Depth</th></tr><tr><td rowspan=2>Kestrel</td><td>North</td><td>7 m</td></tr><tr><td>South</td><td>11 m</td></tr></table>",
      ),
    ).toBe(
      "Depths\n\nPort: Kestrel\nQuay: North\nDepth: 7 m\n\nPort: Kestrel\nQuay: South\nDepth: 11 m",
    );
    expect(
      await text(
        "<table><tr><th rowspan=2>Port</th><th colspan=2>Depth</th></tr><tr><th>low</th><th>high</th></tr><tr><td>Brask</td><td colspan=2>7</td></tr></table>".replace(
          /<tr><th rowspan.*?<\/tr><tr>.*?<\/tr>/,
          "<thead>$&</thead>",
        ),
      ),
    ).toBe("Port: Brask\nDepth low: 7\nDepth high: 7");
    expect(
      await text(
        "<table><tr><td rowspan=2>Kestrel</td><td>7 m</td></tr><tr><td>11 m</td></tr></table>",
      ),
    ).toBe("Kestrel | 7 m\nKestrel | 11 m");
  });

  it("have rows that head others", async () => {
    expect(
      await text(
        "<table><tr><th>Quay</th><th>Depth</th></tr><tr><td colspan=2>Inner harbour</td></tr><tr><td>North</td><td>7 m</td></tr></table>",
      ),
    ).toBe("Inner harbour\n\nQuay: North\nDepth: 7 m");
  });

  it("with absurd spans take no time", async () => {
    const absurd = `<table><tr><th>a</th><th>b</th></tr>${'<tr><td rowspan="99999" colspan="99999">x</td></tr>'.repeat(2_000)}</table>`;
    expect(await text(absurd)).toContain("x");
    const wide = `<table><tr><th>a</th><th>b</th></tr>${'<tr><td rowspan="9999" colspan="150">x</td></tr>'.repeat(3_000)}</table>`;
    expect(await text(wide)).toContain("x");
  });
});
