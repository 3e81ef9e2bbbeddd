import { poll, type FakeLlm } from "@carrel/testing";
import { Api } from "../api.ts";
import { oneTimeCode } from "../one-time-code.ts";
import type { Secrets } from "./secrets.ts";

interface SettingField {
  key: string;
  kind: string;
}

/** Keys and connection strings need the shape that their check expects. */
export const shapes: Record<string, (secret: string) => string> = {
  OpenAiKey: (secret) => `sk-${secret}`,
  TTSOpenAIKey: (secret) => `sk-${secret}`,
  AnthropicApiKey: (secret) => `sk-ant-${secret}`,
  PGVectorConnectionString: (secret) => `postgresql://carrel:${secret}@127.0.0.1:9/vectors`,
};

/** Every secret setting of every provider and vector store, saved and then used. */
export async function plantSettings(api: Api, secrets: Secrets, llm: FakeLlm): Promise<void> {
  const { providers, locked } = await api.json<{
    providers: { id: string; group: string; fields: SettingField[] }[];
    locked: string[];
  }>("GET", "/system/providers");
  const fields = new Map(
    providers.flatMap((provider) => provider.fields.map((field) => [field.key, field] as const)),
  );
  for (const { key, kind } of fields.values()) {
    if (kind !== "secret" || locked.includes(key)) continue;
    const value = secrets.plant(key, shapes[key]);
    const { error } = await api.json<{ error: string | false }>("POST", "/system/update-env", {
      [key]: value,
    });
    // A connection string is tried before it is saved.
    if (error !== false && !error.includes("ECONNREFUSED")) throw new Error(`${key}: ${error}`);
    // A value that isn't accepted, next to another invalid one.
    await api.call("POST", "/system/update-env", {
      [key]: [secrets.plant(`${key} in a list`)],
      VectorDB: "none",
    });
  }
  // Tests connect to nothing outside this machine.
  for (const { id } of providers.filter(({ group }) => group !== "hosted")) {
    await api.call("POST", "/system/custom-models", {
      provider: id,
      apiKey: secrets.plant(`a key tried for ${id}`),
      basePath: "http://127.0.0.1:9",
    });
    await api.call("POST", "/system/custom-models", { provider: id, apiKey: true });
  }
  // Keys that vendors repeat in their refusals.
  for (const status of [400, 401, 403, 500]) {
    const sent = llm.requests.findLast(({ headers }) => headers.authorization)?.headers
      .authorization;
    llm.next({ status, error: { message: `Incorrect API key provided: ${sent}`, code: "no" } });
    await api.call("POST", "/system/custom-models", { provider: "generic-openai", apiKey: true });
    llm.next({ status, error: { message: `Incorrect API key provided: ${sent}`, code: "no" } });
    await api.call("POST", "/system/test-provider", {
      kind: "language",
      provider: "generic-openai",
      settings: { GenericOpenAiModelPref: "small" },
    });
  }
}

/** The password of an instance without accounts. */
export async function plantInstancePassword(
  url: string,
  secrets: Secrets,
): Promise<{ api: Api; password: string }> {
  const api = new Api(url);
  const password = secrets.plant("instance password", (secret) => `${secret} ü+/`);
  for (const newPassword of [
    secrets.plant("refused password", (secret) => `${secret}\0`),
    secrets.plant("refused long password", (secret) => secret.repeat(40)),
    password,
  ])
    await api.call("POST", "/system/update-password", { usePassword: true, newPassword });
  await api.call("POST", "/request-token", { password: secrets.plant("wrong instance password") });
  const { token } = await api.json<{ token: string }>("POST", "/request-token", { password });
  api.token = secrets.keep("instance session", token);
  await api.call("POST", "/system/update-password", {
    usePassword: false,
    currentPassword: secrets.plant("wrong current password"),
  });
  for (const [what, path] of [
    ["instance API key", "/system/generate-api-key"],
    ["instance extension key", "/browser-extension/api-keys/new"],
  ] as const) {
    const { apiKey } = await api.json<{ apiKey: string | { secret: string } }>("POST", path);
    secrets.keep(what, typeof apiKey === "string" ? apiKey : apiKey.secret);
  }
  return { api, password };
}

/** Accounts and everything that someone can sign in with. */
export async function plantAccounts(
  open: Api,
  instancePassword: string,
  secrets: Secrets,
): Promise<Api> {
  const { url } = open;
  const stranger = new Api(url);
  const password = secrets.plant("password of the admin", (secret) => `${secret} "é'`);
  await open.call("POST", "/system/enable-multi-user", {
    username: "x y",
    password: secrets.plant("password beside a refused name"),
    currentPassword: instancePassword,
  });
  await open.json("POST", "/system/enable-multi-user", {
    username: "librarian",
    password,
    currentPassword: instancePassword,
  });
  const signIn = async (username: string, secret: string): Promise<Api> => {
    const { token, recoveryCodes = [] } = await stranger.json<{
      token: string;
      recoveryCodes?: string[];
    }>("POST", "/request-token", { username, password: secret });
    for (const [n, code] of recoveryCodes.entries())
      secrets.keep(`recovery code ${n} of ${username}`, code);
    const api = Object.assign(new Api(url), { token, recoveryCodes });
    secrets.keep(`session of ${username}`, token.split(".")[2]!);
    return api;
  };
  const admin = await signIn("librarian", password);
  for (const username of ["librarian", "nobody"])
    await stranger.call("POST", "/request-token", {
      username,
      password: secrets.plant(`wrong password of ${username}`),
      code: secrets.plant(`wrong code of ${username}`),
    });
  const { apiKey } = await admin.json<{ apiKey: { secret: string } }>(
    "POST",
    "/admin/generate-api-key",
    { name: "secrets" },
  );
  secrets.keep("API key", apiKey.secret);

  // A second person: an account, its recovery, its second factor and a sign-in by token.
  const first = secrets.plant("password of a member");
  const { user } = await admin.json<{ user: { id: number } }>("POST", "/admin/users/new", {
    username: "member",
    password: first,
  });
  const member = (await signIn("member", first)) as Api & { recoveryCodes: string[] };
  const recovered = await stranger.json<{ resetToken: string }>("POST", "/system/recover-account", {
    username: "member",
    recoveryCodes: member.recoveryCodes.slice(0, 2),
  });
  const second = secrets.plant("password after recovery");
  for (const confirmPassword of [secrets.plant("another confirmation"), second])
    await stranger.call("POST", "/system/reset-password", {
      token: secrets.keep("reset token", recovered.resetToken),
      newPassword: second,
      confirmPassword,
    });
  const again = await signIn("member", second);
  const factor = await again.json<{ secret: string }>("POST", "/system/second-factor", {
    password: second,
  });
  await again.json("POST", "/system/second-factor/confirm", {
    code: oneTimeCode(secrets.keep("one-time code secret", factor.secret)),
  });
  await again.call("DELETE", "/system/second-factor", {
    password: secrets.plant("wrong password of a second factor"),
  });
  const key = Object.assign(new Api(url), { token: apiKey.secret });
  const signInToken = await key.json<{ token: string }>(
    "GET",
    `/v1/users/${user.id}/issue-auth-token`,
  );
  secrets.keep("sign-in token", signInToken.token);
  const bySso = await stranger.json<{ token: string }>(
    "GET",
    `/request-token/sso/simple?token=${signInToken.token}`,
  );
  secrets.keep("session by sign-in token", bySso.token.split(".")[2]!);

  // Someone who was invited.
  const { invite } = await admin.json<{ invite: { code: string } }>(
    "POST",
    "/admin/invite/new",
    {},
  );
  secrets.keep("invite code", invite.code);
  await stranger.json("GET", `/invite/${invite.code}`);
  await stranger.json("POST", `/invite/${invite.code}`, {
    username: "librarian",
    password: secrets.plant("password of a refused guest"),
  });
  await stranger.json("POST", `/invite/${invite.code}`, {
    username: "guest",
    password: secrets.plant("password of a guest"),
  });
  const extension = await admin.json<{ apiKey: string }>("POST", "/browser-extension/api-keys/new");
  secrets.keep("extension key", extension.apiKey.split("|").at(-1)!);
  await plantWidget(admin, secrets);
  return admin;
}

/** A widget's secret, and the token of one of its visitors. */
async function plantWidget(admin: Api, secrets: Secrets): Promise<void> {
  const { id: workspace_id } = await admin.makeWorkspace("Widget");
  const { embed } = await admin.json<{ embed: { id: number; uuid: string } }>(
    "POST",
    "/embeds/new",
    { workspace_id, allow_any_origin: true },
  );
  const { secret } = await admin.json<{ secret: string }>(
    "POST",
    `/embeds/${embed.id}/identity-secret`,
  );
  secrets.keep("identity secret of a widget", secret);
  const visitor = new Api(admin.url);
  const { token } = await visitor.json<{ token: string }>(
    "POST",
    `/embed/${embed.uuid}/session`,
    {},
  );
  secrets.keep("token of a visitor", token.split(".")[2]!);
  await visitor.call("POST", `/embed/${embed.uuid}/session`, { identity: secret, token });
}

/** Credentials of sources, saved and tried, and the secret of a source's webhook. */
export async function plantSources(
  admin: Api,
  slug: string,
  secrets: Secrets,
  server: string,
): Promise<void> {
  const base = `/workspace/${slug}/connections`;
  const repo = `${server}/octo/handbook`;
  const drafts = [
    { connector: "github", settings: { repo }, field: "token" },
    { connector: "gitlab", settings: { repo }, field: "token" },
    { connector: "confluence", settings: { url: server, space: "A" }, field: "accessToken" },
    { connector: "webdav", settings: { url: server }, field: "password" },
    { connector: "s3", settings: { endpoint: server, bucket: "docs" }, field: "secretKey" },
    { connector: "imap", settings: { host: "127.0.0.1", port: 9 }, field: "password" },
  ];
  const ids: string[] = [];
  for (const { connector, settings, field } of drafts) {
    const draft = (what: string) => ({
      connector,
      settings,
      credential: {
        ...(connector === "imap" && { user: "ada" }),
        ...(connector === "s3" && { accessKey: "ada" }),
        ...((connector === "confluence" || connector === "webdav") && { username: "ada" }),
        [field]: secrets.plant(`${field} of ${connector}, ${what}`),
      },
    });
    await admin.call("POST", `${base}/check`, draft("tried"));
    await admin.call("POST", `${base}/preview`, draft("previewed"));
    await admin.call("POST", base, { ...draft("refused"), settings: {} });
    const { connection } = await admin.json<{ connection: { id: string } }>(
      "POST",
      base,
      draft("saved"),
    );
    ids.push(connection.id);
    await admin.json("PUT", `${base}/${connection.id}`, {
      credential: draft("changed").credential,
    });
  }
  const once = { repo, accessToken: secrets.plant("token of a client's import") };
  await admin.json("POST", "/ext/github/branches", once);
  await admin.json("POST", "/ext/github/repo", { ...once, branch: "main", ignorePaths: [] });
  await admin.json("POST", "/ext/confluence", {
    baseUrl: server,
    spaceKey: "A",
    cloud: false,
    personalAccessToken: secrets.plant("personal access token of a client's import"),
  });
  // Each has been asked, and why it couldn't be read is kept.
  for (const id of ids)
    await poll(
      async () =>
        (await admin.json<{ connection: { run: { state: string } } }>("GET", `${base}/${id}`))
          .connection.run.state,
    ).toBe("failed");
  await admin.json("POST", "/experimental/toggle-live-sync", { updatedStatus: true });
  await admin.json("PUT", `${base}/${ids[0]}/watch`, { watched: true });
  const hook = await admin.json<{ path: string; secret: string }>("POST", `${base}/${ids[0]}/hook`);
  const sent = { "x-gitlab-token": secrets.keep("secret of a source's webhook", hook.secret) };
  await admin.call("POST", hook.path.replace(/^\/api/, ""), "{}", sent);
  await admin.call("POST", hook.path.replace(/^\/api/, ""), "{}", {
    "x-gitlab-token": secrets.plant("wrong secret of a source's webhook"),
  });
}
