import { CarrelError, clipText } from "@carrel/contracts";
import { z } from "zod";
import {
  signInCredential,
  signInHeaders,
  type SignInCredential,
} from "../../connector/atlassian-sign-in.ts";
import { defineConnector, type SourceContext } from "../../connector/connector.ts";
import { JsonApi, nullIfNotThere } from "../../connector/json-api.ts";
import { jiraForm, jiraSettings, readBase, type JiraSettings } from "./jira-form.ts";
import { jiraItem, JiraSource } from "./jira-source.ts";

/** The issues of Jira, in the cloud or self-hosted. */
export const connector = defineConnector({
  id: "jira",
  form: jiraForm,
  settings: jiraSettings,
  credential: signInCredential,
  item: jiraItem,
  nameOf: ({ url, project, jql }) =>
    [project || clipText(jql, 100), new URL(url).host].filter(Boolean).join(" – "),
  folderOf: ({ url }) => `jira-${new URL(url).hostname}`,
  originOf: ({ url }) => new URL(url).origin,
  choices: async (field, settings, credential, context) => {
    if (field !== "project") return [];
    return (await (await openJira(settings, credential, context)).listProjects()).toSorted();
  },
  open: async (settings, credential, context) => {
    // Not every issue of every project by mistake.
    if (!settings.project && settings.jql === "")
      throw new CarrelError("source.setting-invalid", { field: "project" });
    return openJira(settings, credential, context);
  },
});

const serverInfo = z.object({ deploymentType: z.string().default("Server") });

/** Asks whether Jira is there, or where the start page leads. */
async function openJira(
  settings: JiraSettings,
  credential: SignInCredential,
  context: SourceContext,
): Promise<JiraSource> {
  const { url, anyCertificate } = settings;
  const openAt = async (base: string): Promise<JiraSource | null> => {
    const api = new JsonApi(context, {
      base,
      headers: signInHeaders(credential),
      trustsAnyCertificate: anyCertificate,
    });
    const info = await api.get("/rest/api/2/serverInfo", serverInfo).catch(nullIfNotThere);
    return info === null ? null : new JiraSource(api, info.deploymentType === "Cloud", settings);
  };
  const found = await openAt(url);
  if (found !== null) return found;
  const reply = await context.content.fetch(`${url}/`, {
    signal: context.signal,
    ...(anyCertificate && { trustsAnyCertificate: true }),
  });
  const start = readBase(reply.url);
  // Only on this server: the credential is sent there.
  const there =
    start !== null && start !== url && new URL(start).origin === new URL(url).origin
      ? await openAt(start)
      : null;
  if (there !== null) return there;
  throw new CarrelError("source.not-recognised", { host: new URL(url).host, name: "Jira" });
}
