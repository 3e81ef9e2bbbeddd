import { Readability } from "@mozilla/readability";
import TurndownService from "turndown";
import type { SavedText } from "./carrel/api.ts";

/** Headings, lists and quotes survive as Markdown; addresses and pictures would only be noise. */
function readableText(article: Node): string {
  const markdown = new TurndownService({
    headingStyle: "atx",
    bulletListMarker: "-",
    codeBlockStyle: "fenced",
  });
  markdown.escape = (text) => text;
  markdown.addRule("links", { filter: "a", replacement: (content) => content });
  markdown.remove(["script", "style", "noscript"]);
  markdown.addRule("pictures", { filter: ["img", "picture", "video"], replacement: () => "" });
  return markdown.turndown(article as HTMLElement).trim();
}

function readPage(): SavedText {
  // Readability takes the document apart.
  const article = new Readability<Node>(document.cloneNode(true) as Document, {
    serializer: (node) => node,
  }).parse();
  const text = article?.content ? readableText(article.content) : "";
  const title = article?.title?.trim() || document.title.trim() || location.href;
  return {
    textContent: text || document.body.innerText.trim(),
    metadata: {
      title,
      url: location.href,
      ...(article?.byline && { docAuthor: article.byline }),
      ...(article?.excerpt && { description: article.excerpt }),
      ...(article?.publishedTime && { published: article.publishedTime.slice(0, 40) }),
    },
  };
}

// The service worker calls it: a script that is a file returns nothing.
Object.assign(globalThis, { readPage });
