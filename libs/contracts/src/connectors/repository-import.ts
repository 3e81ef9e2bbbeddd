import { z } from "zod";
import { yesOrNo } from "../coercion.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../operation.ts";
import { repositoryPlatform } from "./repository-address.ts";
import { importErrors } from "./wire-import.ts";

/* Imports of repositories by existing clients (wire-contract 6.7). Nobody is kept from reading them. */

const repository = z.object({
  platform: repositoryPlatform,
  repo: z.string().max(1_000),
  accessToken: z.string().max(10_000).nullish(),
});
const failure = { success: z.boolean(), reason: z.string().nullable() };

export const listRepositoryBranches = defineOperation({
  name: "gateway.connector.branches",
  service: "gateway",
  access: { who: "manager", proof: "none" },
  mount: "custom",
  errors: importErrors,
  routes: [
    {
      method: "POST",
      path: "/ext/:platform/branches",
      summary: "List the branches of a repository, the default branch first",
    },
  ],
  input: repository,
  output: z.object({
    ...failure,
    data: z.object({ branches: z.array(z.string()) }).nullable(),
  }),
});

export const importRepository = defineOperation({
  name: "gateway.connector.repository",
  service: "gateway",
  access: { who: "manager", proof: "none" },
  mount: "custom",
  errors: importErrors,
  routes: [
    {
      method: "POST",
      path: "/ext/:platform/repo",
      summary: "Import a repository into the library, where everyone may read it",
    },
  ],
  input: repository.extend({
    branch: z.string().max(250).nullish(),
    /** In the syntax of .gitignore. */
    ignorePaths: z.array(z.string().max(1_000)).max(1_000).nullish(),
    fetchIssues: yesOrNo.default(false),
    fetchWikis: yesOrNo.default(false),
  }),
  output: z.object({
    ...failure,
    data: z
      .object({
        author: z.string(),
        repo: z.string(),
        /** GitLab only: the path of the project, encoded. */
        projectId: z.string().optional(),
        branch: z.string(),
        files: z.number().int(),
        destination: z.string(),
      })
      .nullable(),
  }),
});

export const repositoryImportContracts: Contracts = {
  operations: [listRepositoryBranches, importRepository],
};
