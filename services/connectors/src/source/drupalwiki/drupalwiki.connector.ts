import { z } from "zod";
import { defineConnector } from "../../connector/connector.ts";
import { JsonApi } from "../../connector/json-api.ts";
import { drupalwikiForm, drupalwikiSettings } from "./drupalwiki-form.ts";
import { drupalwikiItem, DrupalwikiSource } from "./drupalwiki-source.ts";

const credential = z.object({ token: z.string().max(5_000).default("") });

/** The pages and attachments of Drupal Wiki's spaces. */
export const connector = defineConnector({
  id: "drupalwiki",
  form: drupalwikiForm,
  settings: drupalwikiSettings,
  credential,
  item: drupalwikiItem,
  nameOf: ({ url }) => new URL(url).host,
  folderOf: ({ url }) => `drupalwiki-${new URL(url).hostname}`,
  originOf: ({ url }) => new URL(url).origin,
  choices: async (field, settings, { token }, context) => {
    if (field !== "spaces") return [];
    return new DrupalwikiSource(openApi(settings.url, token, context), settings).listSpaces();
  },
  open: (settings, { token }, context) =>
    Promise.resolve(new DrupalwikiSource(openApi(settings.url, token, context), settings)),
});

const openApi = (
  base: string,
  token: string,
  context: ConstructorParameters<typeof JsonApi>[0],
): JsonApi =>
  new JsonApi(context, { base, headers: token === "" ? {} : { authorization: `Bearer ${token}` } });
