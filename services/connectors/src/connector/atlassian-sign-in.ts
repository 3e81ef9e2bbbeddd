import type { ConnectorField } from "@carrel/contracts";
import { z } from "zod";

/** Either a username with its password or API token, or a personal access token. */
export const signInCredential = z.object({
  username: z.string().max(500).default(""),
  accessToken: z.string().max(5_000).default(""),
  personalAccessToken: z.string().max(5_000).default(""),
});
export type SignInCredential = z.output<typeof signInCredential>;

/** How Atlassian's products want to be asked, in the cloud and self-hosted. */
export function signInHeaders({
  username,
  accessToken,
  personalAccessToken,
}: SignInCredential): Record<string, string> {
  if (personalAccessToken !== "") return { authorization: `Bearer ${personalAccessToken}` };
  if (accessToken === "") return {};
  if (username === "") return { authorization: `Bearer ${accessToken}` };
  const text = Buffer.from(`${username}:${accessToken}`).toString("base64");
  return { authorization: `Basic ${text}` };
}

export const signInFields = (product: string): ConnectorField[] => [
  {
    name: "username",
    kind: "text",
    label: "Username",
    help: `On ${product} Cloud, your e-mail address. Not needed with a personal access token.`,
    required: false,
  },
  {
    name: "accessToken",
    kind: "secret",
    label: "API token or password",
    required: false,
  },
  {
    name: "personalAccessToken",
    kind: "secret",
    label: "Personal access token",
    help: "Self-hosted only; instead of a username.",
    required: false,
  },
];
