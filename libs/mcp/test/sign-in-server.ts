import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { makeFixtureServer } from "./fixture-server.ts";

export interface SignInFixture {
  /** Of the MCP server. */
  url: string;
  /** Access tokens that are accepted. */
  tokens: Set<string>;
  /** What happened, in order. */
  calls: string[];
  /** Follows the sign-in page as a person who agrees; returns where the browser is sent. */
  agree(location: string): Promise<string>;
  /** Runs before tokens are returned. */
  meanwhile: () => Promise<unknown>;
  stop(): Promise<void>;
}

const readForm = async (request: IncomingMessage): Promise<string> => {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  return body;
};

/**
 * An MCP server that requires a sign-in, with the sign-in server at the same address: protected
 * resource metadata (RFC 9728), authorization server metadata (RFC 8414), dynamic registration (RFC
 * 7591), PKCE (RFC 7636), resource indicators (RFC 8707) and refresh tokens that work once.
 */
export async function startSignInServer(): Promise<SignInFixture> {
  const tokens = new Set<string>();
  const refreshTokens = new Set<string>();
  const codes = new Map<string, { challenge: string; redirectUri: string; clientId: string }>();
  const clients = new Map<string, string[]>();
  const calls: string[] = [];
  const mcp = toNodeHandler(createMcpHandler(() => makeFixtureServer()));
  let origin = "";
  const issue = (): object => {
    const [access, refresh] = [randomUUID(), randomUUID()];
    tokens.add(access);
    refreshTokens.add(refresh);
    return {
      access_token: access,
      token_type: "Bearer",
      expires_in: 3_600,
      refresh_token: refresh,
    };
  };
  const exchange = (form: URLSearchParams): object | null => {
    if (form.get("resource") !== `${origin}/mcp`) return null;
    if (form.get("grant_type") === "refresh_token")
      return refreshTokens.delete(form.get("refresh_token")!) ? issue() : null;
    const code = codes.get(form.get("code")!);
    codes.delete(form.get("code")!);
    const challenge = createHash("sha256").update(form.get("code_verifier")!).digest("base64url");
    return code !== undefined &&
      code.challenge === challenge &&
      code.redirectUri === form.get("redirect_uri") &&
      code.clientId === form.get("client_id")
      ? issue()
      : null;
  };
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url!, origin);
    const json = (status: number, body: unknown): void =>
      void response
        .writeHead(status, { "content-type": "application/json" })
        .end(JSON.stringify(body));
    if (url.pathname === "/mcp") {
      const token = request.headers.authorization?.replace("Bearer ", "");
      if (token !== undefined && tokens.has(token)) return void mcp(request, response);
      return void response
        .writeHead(401, {
          "www-authenticate": `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp", scope="tickets"`,
        })
        .end();
    }
    if (url.pathname === "/.well-known/oauth-protected-resource/mcp")
      return json(200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
    if (url.pathname === "/.well-known/oauth-authorization-server")
      return json(200, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
      });
    if (url.pathname === "/register" && request.method === "POST")
      return void readForm(request).then((body) => {
        const client = JSON.parse(body) as { redirect_uris: string[] };
        const id = randomUUID();
        clients.set(id, client.redirect_uris);
        calls.push("register");
        json(201, { ...client, client_id: id });
      });
    if (url.pathname === "/authorize") {
      const ask = url.searchParams;
      const clientId = ask.get("client_id")!;
      const redirectUri = ask.get("redirect_uri")!;
      if (!clients.get(clientId)?.includes(redirectUri)) return json(400, { error: "bad" });
      const code = randomUUID();
      codes.set(code, { challenge: ask.get("code_challenge")!, redirectUri, clientId });
      calls.push(`authorize ${ask.get("scope")}`);
      const target = new URL(redirectUri);
      target.search = String(new URLSearchParams({ code, state: ask.get("state")!, iss: origin }));
      return void response.writeHead(302, { location: target.href }).end();
    }
    if (url.pathname === "/token" && request.method === "POST")
      return void readForm(request).then(async (body) => {
        const form = new URLSearchParams(body);
        calls.push(form.get("grant_type")!);
        const issued = exchange(form);
        await fixture.meanwhile();
        if (issued === null) json(400, { error: "invalid_grant" });
        else json(200, issued);
      });
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fixture: SignInFixture = {
    url: `${origin}/mcp`,
    meanwhile: () => Promise.resolve(),
    tokens,
    calls,
    agree: async (location) => {
      const reply = await fetch(location, { redirect: "manual" });
      return reply.headers.get("location") ?? "";
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fixture;
}
