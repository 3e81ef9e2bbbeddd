import { z } from "zod";
import { defineConnector } from "../../connector/connector.ts";
import { JsonApi } from "../../connector/json-api.ts";
import { paperlessForm, paperlessSettings } from "./paperless-form.ts";
import { paperlessItem, PaperlessSource } from "./paperless-source.ts";

/** The documents that a user of Paperless-ngx may see. */
export const connector = defineConnector({
  id: "paperless-ngx",
  form: paperlessForm,
  settings: paperlessSettings,
  credential: z.object({ token: z.string().max(5_000).default("") }),
  item: paperlessItem,
  nameOf: ({ url }) => new URL(url).host,
  folderOf: ({ url }) => `paperless-${new URL(url).hostname}`,
  originOf: ({ url }) => new URL(url).origin,
  open: (settings, { token }, context) =>
    Promise.resolve(
      new PaperlessSource(
        new JsonApi(context, {
          base: settings.url,
          headers: token === "" ? {} : { authorization: `Token ${token}` },
        }),
        settings,
      ),
    ),
});
