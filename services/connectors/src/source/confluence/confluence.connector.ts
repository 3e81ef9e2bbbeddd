import { CarrelError } from "@carrel/contracts";
import { signInCredential } from "../../connector/atlassian-sign-in.ts";
import { defineConnector } from "../../connector/connector.ts";
import { confluenceItem } from "./confluence-api.ts";
import { confluenceForm, confluenceSettings } from "./confluence-form.ts";
import { ConfluenceSource } from "./confluence-source.ts";
import { findConfluence } from "./find-confluence.ts";

/** The pages and attachments of a Confluence space, in the cloud or self-hosted. */
export const connector = defineConnector({
  id: "confluence",
  form: confluenceForm,
  settings: confluenceSettings,
  credential: signInCredential,
  item: confluenceItem,
  nameOf: ({ url, space }) => [space, new URL(url).host].filter(Boolean).join(" – "),
  folderOf: ({ url }) => `confluence-${new URL(url).hostname}`,
  originOf: ({ url }) => new URL(url).origin,
  choices: async (field, settings, credential, context) => {
    if (field !== "space") return [];
    const { confluence } = await findConfluence(settings, credential, context);
    return (await confluence.listSpaces()).toSorted();
  },
  open: async (settings, credential, context) => {
    if (settings.space === undefined)
      throw new CarrelError("source.setting-invalid", { field: "space" });
    const { confluence, api } = await findConfluence(settings, credential, context);
    return new ConfluenceSource(confluence, api, settings);
  },
});
