import { defineConnector } from "../../connector/connector.ts";
import {
  folderName,
  repositoryCredential,
  repositoryFields,
  repositoryName,
  repositorySettings,
  tokenField,
} from "../../repository/repository-form.ts";
import { repositoryItem, RepositorySource } from "../../repository/repository-source.ts";
import { GitlabHost } from "./gitlab-host.ts";

/** Projects on gitlab.com or a server of one's own. */
export const connector = defineConnector({
  id: "gitlab",
  form: {
    label: "GitLab",
    description: "Import the files of a project, and its issues and wiki if you want.",
    fields: repositoryFields({ placeholder: "https://gitlab.com/group/project", hasWiki: true }),
    credentialFields: [tokenField("Needed for private projects. Scope: read_api.")],
    abilities: { permissions: true, changes: false, discovers: false },
  },
  settings: repositorySettings("gitlab"),
  credential: repositoryCredential,
  item: repositoryItem,
  nameOf: repositoryName,
  folderOf: folderName,
  originOf: ({ repo }) => new URL(repo).origin,
  choices: (field, { repo }, { token }, context) =>
    field === "branch" ? new GitlabHost(repo, token, context).branches() : Promise.resolve([]),
  open: (settings, credential, context) =>
    Promise.resolve(
      new RepositorySource({
        id: "gitlab",
        host: new GitlabHost(settings.repo, credential.token, context),
        settings,
        credential,
        context,
      }),
    ),
});
