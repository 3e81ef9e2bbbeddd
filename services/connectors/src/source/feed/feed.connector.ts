import { clipText } from "@carrel/contracts";
import { defineConnector } from "../../connector/connector.ts";
import { feedCredential, feedForm, feedSettings } from "./feed-form.ts";
import { FeedSource } from "./feed-source.ts";
import { feedItem } from "./read-feed.ts";

/** The entries of RSS, Atom and JSON feeds. */
export const connector = defineConnector({
  id: "feed",
  form: feedForm,
  settings: feedSettings,
  credential: feedCredential,
  item: feedItem,
  nameOf: ({ url }) => {
    const { host, pathname } = new URL(url);
    return clipText(`${host}${pathname === "/" ? "" : pathname}`, 200);
  },
  originOf: ({ url }) => new URL(url).origin,
  open: (settings, credential, context) =>
    Promise.resolve(new FeedSource(settings, credential, context)),
});
