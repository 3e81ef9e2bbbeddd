import type { FlowBlock } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { openCredential } from "./credential-paths.ts";
import { literalSecrets } from "./secrets.ts";

type Config = FlowBlock<"apiCall">["config"];
const call = (config: Partial<Config>): FlowBlock<"apiCall"> => ({
  type: "apiCall",
  config: {
    url: "https://api.example.com:8443/v1/${id}",
    method: "POST",
    headers: [],
    bodyType: "json",
    body: "",
    formData: [],
    responseVariable: "",
    directOutput: false,
    ...config,
  },
});
const row = (key: string, value: string) => [{ key, value }];

describe("a secret in a block", () => {
  it.each<[Partial<Config>, string, string, Partial<Config>]>([
    [
      { headers: row("Authorization", "Bearer abc123def456") },
      "API_KEY",
      "abc123def456",
      { headers: row("Authorization", "Bearer {{credential.X}}") },
    ],
    [
      { headers: row("X-Api-Key", "abc123def456") },
      "API_KEY",
      "abc123def456",
      { headers: row("X-Api-Key", "{{credential.X}}") },
    ],
    [
      { bodyType: "form", formData: row("client_secret", "abc123def456") },
      "CLIENT_SECRET",
      "abc123def456",
      { formData: row("client_secret", "{{credential.X}}") },
    ],
    [
      { body: '{"user":"a","password":"abc\\"123def"}' },
      "PASSWORD",
      'abc"123def',
      { body: '{"user":"a","password":"{{credential.X}}"}' },
    ],
    [
      { url: "https://a.example/?q=1&api_key=abc%20123def#x" },
      "API_KEY",
      "abc 123def",
      { url: "https://a.example/?q=1&api_key={{credential.X}}#x" },
    ],
  ])("is found in %j", (config, name, value, replaced) => {
    const found = literalSecrets(call(config));
    expect(found).toMatchObject([{ name, value }]);
    expect(found[0]!.replaceWith("X")).toEqual(replaced);
  });

  it.each<Partial<Config>>([
    { headers: row("Accept", "application/json-and-more") },
    { headers: row("Authorization", "Bearer ${token}") },
    { headers: row("Authorization", "Bearer {{credential.KEY}}") },
    { headers: row("X-Api-Key", "short") },
    { body: '{"passwordless":"abc123def456","note":"token"}' },
    { method: "GET", body: '{"password":"abc123def456"}' },
  ])("isn't found in %j", (config) => {
    expect(literalSecrets(call(config))).toEqual([]);
  });

  it("goes to the host of the address, if it is known", () => {
    const headers = row("X-Api-Key", "abc123def456");
    const hostOf = (url: string) => literalSecrets(call({ url, headers }))[0]!.host;
    expect(hostOf("https://api.example.com:8443/v1/${id}")).toBe("api.example.com:8443");
    expect(hostOf("https://${host}/v1")).toBe("");
    expect(hostOf("${address}")).toBe("");
  });
});

describe("a reference that is being typed", () => {
  it("begins with two braces", () => {
    expect(openCredential("Bearer {{cred")).toEqual({ start: 7, typed: "cred" });
    expect(openCredential("Bearer {cred")).toBeNull();
    expect(openCredential("{{credential.A}} ")).toBeNull();
  });
});
