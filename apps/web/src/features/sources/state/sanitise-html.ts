import DOMPurify from "dompurify";
import { allowedAttributes, allowedTags, removedTags } from "../worker/conversion.ts";

/** A separate instance, because hooks would otherwise also apply to diagrams. */
const purifier = DOMPurify(window);

const pictureData = /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z\d+/=\s]*$/i;
const safeLink = /^(?:https?:\/\/|mailto:)/i;
/** Cells that span more would turn a small file into a huge table. */
const widestSpan = 100;

/** Returns the address of a picture that is part of the file; null if it isn't. */
export type FindPicture = (source: string) => string | null;
let findPicture: FindPicture = () => null;

purifier.addHook("afterSanitizeAttributes", (node) => {
  if (node.nodeName === "A") {
    if (!safeLink.test(node.getAttribute("href") ?? "")) node.removeAttribute("href");
    else {
      node.setAttribute("target", "_blank");
      node.setAttribute("rel", "noopener noreferrer nofollow");
    }
  } else {
    node.removeAttribute("href");
  }
  for (const span of ["colspan", "rowspan"])
    if (Number(node.getAttribute(span) ?? 0) > widestSpan)
      node.setAttribute(span, String(widestSpan));
  if (node.nodeName !== "IMG") return node.removeAttribute("src");
  const source = node.getAttribute("src") ?? "";
  const address = pictureData.test(source) ? source : findPicture(source);
  if (address === null) node.removeAttribute("src");
  else node.setAttribute("src", address);
});

/** Minimum share of a page's text for its article to be shown without its surroundings. */
const mostOfPage = 0.3;

/** Removes a web page's navigation and the like, as the parser does. */
function keepArticle(page: DocumentFragment): void {
  const article = page.querySelector("main, article");
  const lengthOf = (node: Node): number => node.textContent?.trim().length ?? 0;
  if (article && lengthOf(article) > mostOfPage * lengthOf(page)) page.replaceChildren(article);
  else
    for (const each of page.querySelectorAll("header, footer, aside"))
      if (!each.closest("main, article")) each.remove();
}

/**
 * Untrusted HTML as nodes that can't run anything, load anything, or look like part of the app: no
 * scripts, styles, forms, frames, IDs or classes, and pictures only from the file itself.
 */
export function sanitiseHtml(html: string, find: FindPicture): DocumentFragment {
  findPicture = find;
  // A page with frames has no body.
  const page = purifier.sanitize(html, {
    ALLOWED_TAGS: [...allowedTags],
    ALLOWED_ATTR: [...allowedAttributes],
    FORBID_CONTENTS: [...removedTags],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  }) as DocumentFragment | null;
  const fragment = page ?? document.createDocumentFragment();
  for (const picture of fragment.querySelectorAll("img:not([src])"))
    picture.replaceWith(picture.getAttribute("alt") ?? "");
  for (const each of fragment.querySelectorAll("details")) each.open = true;
  keepArticle(fragment);
  return fragment;
}
