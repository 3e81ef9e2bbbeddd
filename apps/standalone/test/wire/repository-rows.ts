import { CarrelError, listChoicesOnce, type In } from "@carrel/contracts";
import type { TestInstance } from "./instance.ts";
import { json, row, type Row } from "./wire-row.ts";

const hidden = "https://github.com/octo/hidden";

/** The import itself is answered as a website's is: it has one document. */
export function answerRepositoryRows({ connectors }: TestInstance): void {
  connectors.answer(listChoicesOnce, ({ settings: { repo } }: In<typeof listChoicesOnce>) => {
    if (repo === hidden) throw new CarrelError("source.repository-missing", { host: "github.com" });
    return { choices: ["main", "next"] };
  });
}

const failed = {
  success: false,
  data: null,
  reason: "github.com has no such repository, or the token may not read it.",
};
const imported = (branch: string, more: object = {}) => ({
  body: {
    success: true,
    reason: null,
    data: {
      author: "octo",
      repo: "handbook",
      ...more,
      branch,
      files: 1,
      destination: "custom-documents",
    },
  },
});

/** wire-contract 6.7: always 200, "Failure: `{success:false,reason:string,data}`". */
export const repositoryRows: Row[] = [
  ...["github", "gitlab", "gitea"].map((platform) =>
    row(
      "gateway.connector.branches",
      [
        "POST",
        `/ext/${platform}/branches`,
        { repo: "https://git.example.com/octo/handbook", accessToken: null },
      ],
      200,
      json,
      { body: { success: true, reason: null, data: { branches: ["main", "next"] } } },
    ),
  ),
  row(
    "gateway.connector.branches",
    ["POST", "/ext/github/branches", { repo: hidden, accessToken: "x" }],
    200,
    json,
    { body: failed },
  ),
  row(
    "gateway.connector.repository",
    [
      "POST",
      "/ext/github/repo",
      {
        repo: "https://github.com/octo/handbook.git",
        accessToken: "x",
        branch: "next",
        ignorePaths: ["*.lock"],
      },
    ],
    200,
    json,
    imported("next"),
  ),
  row(
    "gateway.connector.repository",
    [
      "POST",
      "/ext/gitlab/repo",
      {
        repo: "https://gitlab.com/octo/team/handbook",
        ignorePaths: [],
        fetchIssues: true,
        fetchWikis: false,
      },
    ],
    200,
    json,
    imported("main", { author: "octo/team", projectId: "octo%2Fteam%2Fhandbook" }),
  ),
  row(
    "gateway.connector.repository",
    ["POST", "/ext/gitea/repo", { repo: "https://git.example.com/octo/handbook", branch: "" }],
    200,
    json,
    imported("main"),
  ),
  row("gateway.connector.repository", ["POST", "/ext/github/repo", { repo: hidden }], 200, json, {
    body: failed,
  }),
];
