/**
 * Describes everything below an element of rendered Markdown that is not on the lists below. Self-
 * contained, because tests also run it in the browser's page. Walks from sibling to sibling:
 * selectors and live collections are slow in jsdom.
 */
export function markdownFaults(markdown: Element): string[] {
  const elements = new Set([
    "div",
    "p",
    "span",
    "a",
    "strong",
    "em",
    "del",
    "code",
    "pre",
    "ul",
    "ol",
    "li",
    "blockquote",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "br",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "sup",
    "section",
    "button",
    "header",
    "svg",
    "input",
  ]);
  /** The elements that formulas render to. */
  const mathElements = new Set([
    "span",
    "svg",
    "path",
    "line",
    "math",
    "semantics",
    "annotation",
    "mrow",
    "mi",
    "mo",
    "mn",
    "ms",
    "mtext",
    "msup",
    "msub",
    "msubsup",
    "mfrac",
    "msqrt",
    "mroot",
    "mtable",
    "mtr",
    "mtd",
    "mover",
    "munder",
    "munderover",
    "mspace",
    "mstyle",
    "mpadded",
    "mphantom",
    "menclose",
  ]);
  const attributes = new Set([
    "class",
    "href",
    "target",
    "rel",
    "dir",
    "lang",
    "tabindex",
    "role",
    "type",
    "checked",
    "disabled",
    "start",
    "align",
    "title",
    "aria-hidden",
    "aria-label",
    "aria-describedby",
    "id",
    "style",
    "colspan",
    "value",
    "aria-pressed",
    "data-cite",
    "data-footnote-reference",
    "data-footnote-note",
  ]);
  function faultsOf(root: Element, inMath: boolean): string[] {
    const faults: string[] = [];
    for (
      let element = root.firstElementChild;
      element !== null;
      element = element.nextElementSibling
    ) {
      const name = element.localName;
      const { classList } = element;
      const isMath = inMath || classList.contains("katex") || classList.contains("katex-error");
      if (name === "svg" && classList.contains("lucide")) continue; // an icon
      faults.push(...faultsOf(element, isMath));
      if (!(isMath ? mathElements : elements).has(name)) faults.push(`<${name}>`);
      if (
        name === "input" &&
        (element.getAttribute("type") !== "checkbox" || !element.hasAttribute("disabled"))
      )
        faults.push("an input that can be used");
      for (const { name: attribute, value } of element.attributes) {
        if (
          attribute.startsWith("on") ||
          /^(src|srcset|srcdoc|action|formaction|poster|background|data|xlink:href|ping)$/.test(
            attribute,
          )
        )
          faults.push(`${name} ${attribute}="${value}"`);
        if (!isMath && !attributes.has(attribute)) faults.push(`${name} ${attribute}`);
        if (
          attribute === "style" &&
          (/url\(|expression|position:\s*(fixed|sticky)|@import|behavior/i.test(value) ||
            (!isMath &&
              !/^(text-align: ?\w+;?)?$/.test(value) &&
              // The space of a formula that hasn't been drawn yet.
              !(
                classList.contains("math-display") &&
                /^min-block-size: \d{1,2}(\.\d{1,2})?em;?$/.test(value)
              )))
        )
          faults.push(`style ${value}`);
        if (
          attribute === "id" &&
          !/^user-content-fn|^footnote-label$|^user-content-footnote-label$/.test(value)
        )
          faults.push(`id ${value}`);
        if (
          attribute === "href" &&
          (name !== "a" || isMath || !/^(https?:\/\/|mailto:)/i.test(value))
        )
          faults.push(`${name} href="${value}"`);
      }
      if (
        name === "a" &&
        (element.getAttribute("target") !== "_blank" ||
          !/noopener/.test(element.getAttribute("rel") ?? "") ||
          !/noreferrer/.test(element.getAttribute("rel") ?? ""))
      )
        faults.push(`a link that stays on the page: ${element.outerHTML.slice(0, 120)}`);
    }
    return faults;
  }
  return faultsOf(markdown, false);
}
