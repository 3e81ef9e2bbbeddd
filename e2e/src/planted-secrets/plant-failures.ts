import pg from "pg";
import type { Api } from "../api.ts";
import { shapes } from "./plant.ts";
import type { Secrets } from "./secrets.ts";

/** Requests that fail, with secrets wherever a client may put them. */
export async function plantFailures(admin: Api, secrets: Secrets): Promise<void> {
  const { url } = admin;
  const send = async (path: string, init: RequestInit): Promise<void> => {
    const reply = await fetch(`${url}${path}`, { redirect: "manual", ...init });
    await reply.body?.cancel();
  };
  const bearer = (what: string): Record<string, string> => ({
    authorization: `Bearer ${secrets.plant(what)}`,
  });
  const broken = (what: string): string =>
    `{"username":"librarian","password":"${secrets.plant(what)}","x":`;
  const json = { "content-type": "application/json" };
  const authorization = `Bearer ${admin.token}`;
  await send("/api/request-token", { method: "POST", body: broken("password in broken JSON") });
  await send("/api/request-token", {
    method: "POST",
    headers: json,
    body: JSON.stringify({
      username: "librarian",
      password: [secrets.plant("password in a list")],
    }),
  });
  await send("/api/request-token", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: `username=librarian&password=${secrets.plant("password in a form")}`,
  });
  await send("/api/request-token", {
    method: "POST",
    headers: { "content-encoding": "gzip", ...json },
    body: broken("password in what isn't gzip"),
  });
  await send(`/api/request-token?password=${secrets.plant("password in an address")}`, {
    method: "POST",
    body: "{}",
  });
  await send("/api/system/update-env", {
    method: "POST",
    headers: { authorization, ...json },
    body: `{"OpenAiKey":"sk-${secrets.plant("key in broken JSON")}`,
  });
  for (const [key, shape] of Object.entries(shapes))
    await admin.call("POST", "/system/update-env", {
      [key]: shape(secrets.plant(`refused ${key}`)).slice(2),
    });
  await admin.call("POST", "/system/update-env", {
    GenericOpenAiBasePath: `http://someone:${secrets.plant("password in an address of a model")}@127.0.0.1:9/v1`,
  });
  await admin.call("POST", "/admin/users/new", {
    username: "member",
    password: secrets.plant("password beside a taken name"),
  });
  await admin.call("POST", "/system/update-user", {
    password: { secret: secrets.plant("password in an object") },
  });
  await send("/api/workspaces", { headers: bearer("bearer of nobody") });
  await send("/api/v1/auth", { headers: bearer("API key of nobody") });
  await send("/api/browser-extension/check", { headers: bearer("extension key of nobody") });
  await send("/api/workspaces", {
    headers: { authorization: `Basic ${btoa(`x:${secrets.plant("basic password")}`)}` },
  });
  await send("/api/workspaces", { headers: { cookie: `session=${secrets.plant("cookie")}` } });
  await send(`/api/no-such-route?apiKey=${secrets.plant("key in an address")}`, {
    headers: bearer("bearer on an unknown route"),
  });
  await send(`/api/request-token/sso/simple?token=${secrets.plant("sign-in token of nobody")}`, {});
  await send(`/sso/simple?token=${secrets.plant("sign-in token on a page")}`, {});
  await send(`/api/invite/${secrets.plant("invite of nobody")}`, {});
  await send(`/accept-invite/${secrets.plant("invite on a page")}`, {});
  await send(
    `/api/auth/openid/callback?state=${secrets.plant("state")}&code=${secrets.plant("OpenID code")}`,
    {},
  );
  await send("/api/system/reset-password", {
    method: "POST",
    body: JSON.stringify({
      token: secrets.plant("reset token of nobody"),
      newPassword: secrets.plant("password without a token"),
      confirmPassword: "",
    }),
  });
  await send("/api/system/recover-account", {
    method: "POST",
    body: JSON.stringify({
      username: "member",
      recoveryCodes: [secrets.plant("recovery code of nobody"), 7],
    }),
  });
}

/** Requests that fail because the database refuses every write, with `message`. */
export async function plantFaults(
  admin: Api,
  databaseUrl: string,
  message: string,
  secrets: Secrets,
): Promise<void> {
  const sql = new pg.Client({ connectionString: databaseUrl });
  await sql.connect();
  const tables = [
    'auth."user"',
    "auth.session",
    "auth.invite",
    "auth.api_key",
    "workspace.setting",
  ];
  await sql.query(
    `CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '${message}'; END $$`,
  );
  for (const table of tables)
    await sql.query(
      `CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION public.refuse()`,
    );
  const right = secrets.plant("password of an account that can't be created");
  const outcomes = [
    await admin.call("POST", "/admin/users/new", { username: "later", password: right }),
    await admin.call("POST", "/system/update-env", {
      OpenAiKey: `sk-${secrets.plant("key that can't be saved")}`,
    }),
    await admin.call("POST", "/system/user", {
      password: secrets.plant("new password that can't be saved"),
    }),
    await admin.call("POST", "/admin/invite/new", {}),
    await admin.call("POST", "/admin/generate-api-key", { name: "later" }),
    await admin.call("POST", "/browser-extension/api-keys/new"),
  ];
  if (!outcomes.some(({ status }) => status === 500)) throw new Error("no write was refused");
  await sql.query("DROP FUNCTION public.refuse CASCADE");
  await sql.end();
}
