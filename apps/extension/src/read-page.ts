import { Readability } from "@mozilla/readability";
import TurndownService from "turndown";
import type { SavedText } from "./carrel/api.ts";

/** Keeps headings, lists and quotes as Markdown; addresses and pictures would only be noise. */
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
  // Readability takes the document apart, so give it a copy.
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

// Called by the service worker: a script file can't return a value.
Object.assign(globalThis, { readPage });
