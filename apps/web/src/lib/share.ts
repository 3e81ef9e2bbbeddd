import share from "../locales/en/share.json" with { type: "json" };
import { addTexts } from "./i18n.ts";

/** Query keys of share links; not in `query-keys.ts`, which is part of the first page. */
export const shareKeys = {
  all: ["shares"],
  ofThread: (slug: string, threadSlug: string | null) => ["shares", slug, threadSlug],
  list: ["shares", "list"],
  own: ["shares", "own"],
} as const;

// Loaded with the dialog and pages of share links, not with the first page.
addTexts("share", share);
