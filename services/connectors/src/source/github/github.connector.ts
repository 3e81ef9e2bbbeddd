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
import { apiOf, GithubHost } from "./github-host.ts";

/** Repositories on GitHub, in the cloud or on an Enterprise server. */
export const connector = defineConnector({
  id: "github",
  form: {
    label: "GitHub",
    description: "Import the files of a repository, and its issues if you want.",
    fields: repositoryFields({
      placeholder: "https://github.com/owner/repository",
      hasWiki: false,
    }),
    credentialFields: [
      tokenField("Needed for private repositories. It may read contents, issues and metadata."),
    ],
    abilities: { permissions: true, changes: true, discovers: false },
  },
  settings: repositorySettings("github"),
  credential: repositoryCredential,
  item: repositoryItem,
  nameOf: repositoryName,
  folderOf: folderName,
  originOf: ({ repo }) => new URL(apiOf(repo)).origin,
  choices: (field, { repo }, { token }, context) =>
    field === "branch" ? new GithubHost(repo, token, context).branches() : Promise.resolve([]),
  open: (chosen, credential, context) =>
    Promise.resolve(
      new RepositorySource({
        id: "github",
        host: new GithubHost(chosen.repo, credential.token, context),
        settings: chosen,
        credential,
        context,
      }),
    ),
});
