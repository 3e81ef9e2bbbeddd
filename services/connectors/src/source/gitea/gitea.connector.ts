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
import { GiteaHost } from "./gitea-host.ts";

/** Repositories on Gitea and Forgejo servers. */
export const connector = defineConnector({
  id: "gitea",
  form: {
    label: "Gitea",
    description:
      "Import the files of a repository on Gitea or Forgejo, and its issues and wiki if you want.",
    fields: repositoryFields({
      placeholder: "https://git.example.com/owner/repository",
      hasWiki: true,
    }),
    credentialFields: [
      tokenField("Needed for private repositories. It may read repositories and issues."),
    ],
    abilities: { permissions: true, changes: true, discovers: false },
  },
  settings: repositorySettings("gitea"),
  credential: repositoryCredential,
  item: repositoryItem,
  nameOf: repositoryName,
  folderOf: folderName,
  originOf: ({ repo }) => new URL(repo).origin,
  choices: (field, { repo }, { token }, context) =>
    field === "branch" ? new GiteaHost(repo, token, context).branches() : Promise.resolve([]),
  open: (settings, credential, context) =>
    Promise.resolve(
      new RepositorySource({
        id: "gitea",
        host: new GiteaHost(settings.repo, credential.token, context),
        settings,
        credential,
        context,
      }),
    ),
});
