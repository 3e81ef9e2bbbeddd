/**
 * Describes everything below a rendered document that could run, load or disguise itself. Self-
 * contained, because tests also run it in the browser's page.
 */
export function documentFaults(paper: Element): string[] {
  const allowed = new Set(
    "a abbr address article aside b bdi bdo blockquote br caption center cite code col colgroup dd del details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark ol p pre q rp rt ruby s samp section small span strong sub summary sup table tbody td tfoot th thead time tr u ul var wbr".split(
      " ",
    ),
  );
  const attributes = new Set(
    "alt class colspan dir href lang open rel reversed rowspan scope src start style target".split(
      " ",
    ),
  );
  const faults: string[] = [];
  for (const element of paper.querySelectorAll("*")) {
    const ours =
      element.matches(".table-scroll") ||
      element.closest(".edge-bar, mark, .text-passage") !== null;
    const name = element.localName;
    if (!allowed.has(name)) faults.push(`<${name}>`);
    for (const { name: attribute, value } of element.attributes) {
      if (!attributes.has(attribute) && !(ours && /^(aria-hidden|tabindex)$/.test(attribute)))
        faults.push(`${name} ${attribute}`);
      if (/^(class|style)$/.test(attribute) && !ours)
        faults.push(`${name} ${attribute}="${value}"`);
      if (attribute === "src" && !/^(data:image\/(png|jpeg|gif|webp);base64,|blob:)/i.test(value))
        faults.push(`src="${value}"`);
      if (attribute === "href" && !/^(https?:\/\/|mailto:)/i.test(value))
        faults.push(`href="${value}"`);
    }
    if (
      element.hasAttribute("href") &&
      (element.getAttribute("target") !== "_blank" ||
        !/noopener noreferrer/.test(element.getAttribute("rel") ?? ""))
    )
      faults.push(`a link that stays on the page: ${element.outerHTML.slice(0, 120)}`);
  }
  return faults;
}
