import {
  clipText,
  readRepositoryAddress,
  type ConnectorField,
  type RepositoryPlatform,
} from "@carrel/contracts";
import { z } from "zod";
import { ignoreField, ignoreLines, megabytesField } from "../connector/file-rules.ts";

/** Settings that all kinds of repositories have. */
export const repositorySettings = (platform: RepositoryPlatform) =>
  z.object({
    repo: z
      .string()
      .max(1_000)
      .transform((typed, { issues }) => {
        const address = readRepositoryAddress(platform, typed);
        if (address !== null) return address.href;
        issues.push({ code: "custom", input: typed, message: "not a repository's address" });
        return z.NEVER;
      }),
    /** Or a tag; by default, the repository's default branch. */
    branch: z
      .string()
      .trim()
      .max(250)
      .optional()
      .transform((branch) => branch || undefined),
    ignore: ignoreLines.default([]),
    /** Also imports issues, each with its comments. */
    issues: z.boolean().default(false),
    /** Also imports the wiki; only where the server has an API for it. */
    wiki: z.boolean().default(false),
    maxMegabytes: z.number().int().min(1).max(100).default(5),
    /** Documents name the repository, as existing clients expect, instead of their own address. */
    plainSources: z.boolean().default(false),
  });
export type RepositorySettings = z.output<ReturnType<typeof repositorySettings>>;

export const repositoryCredential = z.object({ token: z.string().trim().optional() });
export type RepositoryCredential = z.output<typeof repositoryCredential>;

/** The form's fields, in order. */
export function repositoryFields(texts: {
  placeholder: string;
  hasWiki: boolean;
}): ConnectorField[] {
  const wiki: ConnectorField = {
    name: "wiki",
    kind: "switch",
    label: "Include the wiki",
    required: false,
    default: false,
  };
  return [
    {
      name: "repo",
      kind: "address",
      label: "Repository",
      placeholder: texts.placeholder,
      required: true,
    },
    {
      name: "branch",
      kind: "text",
      label: "Branch",
      help: "The default branch if empty.",
      required: false,
      isListed: true,
    },
    {
      name: "issues",
      kind: "switch",
      label: "Include issues",
      help: "Each issue and its comments become one document.",
      required: false,
      default: false,
    },
    ...(texts.hasWiki ? [wiki] : []),
    ignoreField,
    megabytesField(5, 100),
  ];
}

export const tokenField = (help: string): ConnectorField => ({
  name: "token",
  kind: "secret",
  label: "Access token",
  help,
  required: false,
});

/** owner/name. */
export const repositoryName = ({ repo }: { repo: string }): string =>
  clipText(new URL(repo).pathname.slice(1), 200);

/** Of existing clients' imports: owner, name and branch. */
export function folderName({ repo, branch }: RepositorySettings): string {
  const [name, ...owners] = new URL(repo).pathname.slice(1).split("/").toReversed();
  const parts = [...owners.toReversed(), name, ...(branch === undefined ? [] : [branch])];
  return clipText(parts.join("-").replace(/[^\p{L}\p{N}._-]+/gu, "-"), 100);
}
