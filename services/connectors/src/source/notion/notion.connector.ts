import { z } from "zod";
import { defineConnector } from "../../connector/connector.ts";
import { JsonApi } from "../../connector/json-api.ts";
import { notionItem, NotionSource } from "./notion-source.ts";

const base = "https://api.notion.com";
/** Answers differ between versions of the interface. */
const version = "2022-06-28";

/** The pages that a Notion integration was given. */
export const connector = defineConnector({
  id: "notion",
  form: {
    label: "Notion",
    description: "Import the pages and databases that are shared with an integration.",
    fields: [],
    credentialFields: [
      {
        name: "token",
        kind: "secret",
        label: "Integration secret",
        help: "Add the integration to each page or database that it may read.",
        required: true,
      },
    ],
    abilities: { permissions: false, changes: false, discovers: false },
  },
  settings: z.object({}),
  credential: z.object({ token: z.string().max(5_000).default("") }),
  item: notionItem,
  nameOf: () => "Notion",
  folderOf: () => "notion",
  originOf: () => base,
  open: (_settings, { token }, context) =>
    Promise.resolve(
      new NotionSource(
        new JsonApi(context, {
          base,
          headers: { authorization: `Bearer ${token}`, "notion-version": version },
        }),
        context.signal,
      ),
    ),
});
