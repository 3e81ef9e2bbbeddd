import { createHash } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

/*
 * Written from Microsoft's published references, as of 2026-11: Microsoft Graph REST API v1.0 (user:
 * list messages, message: get, create, createReply, update, send, list attachments, user: sendMail,
 * error responses, paging, throttling, $search) and the Microsoft identity platform's OAuth 2.0
 * authorization code flow with its error codes for token endpoint errors.
 */

interface Address {
  emailAddress: { name?: string; address: string };
}
export interface FixtureMail {
  id: string;
  subject: string;
  from?: Address;
  toRecipients: Address[];
  ccRecipients?: Address[];
  bccRecipients?: Address[];
  receivedDateTime?: string;
  isRead?: boolean;
  isDraft?: boolean;
  hasAttachments?: boolean;
  bodyPreview?: string;
  body: { contentType: string; content: string };
  files?: { name: string; size: number }[];
}
type Answer = (response: ServerResponse) => void;

export const app = { clientId: "client", tenantId: "contoso.example", clientSecret: "secret" };
export const redirectUri = "https://carrel.example/outlook";

const fault = (response: ServerResponse, status: number, code: string, message: string): void =>
  void response
    .writeHead(status, { "content-type": "application/json" })
    .end(JSON.stringify({ error: { code, message } }));

export class OutlookFixture {
  mails: FixtureMail[] = [];
  readonly sent: unknown[] = [];
  readonly searches: (string | null)[] = [];
  readonly requests: string[] = [];
  /** By path without query: answers that are used once, before the usual one. */
  readonly answers = new Map<string, Answer[]>();
  /** The challenge of the sign-in, as the authorization request had it. */
  challenge = "";
  refreshToken = "refresh-1";
  private accessTokens = 0;

  /** Revokes the current access token. */
  revoke(): void {
    this.accessTokens++;
  }

  readonly listener: RequestListener = (request, response) => {
    void this.answer(request, response);
  };

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const text = Buffer.concat(parts).toString();
    const url = new URL(request.url ?? "/", "http://fixture");
    const path = url.pathname;
    this.requests.push(`${request.method} ${path}`);
    const own = this.answers.get(path)?.shift();
    if (own) return own(response);
    if (path === `/${app.tenantId}/oauth2/v2.0/token`)
      return this.giveTokens(new URLSearchParams(text), response);
    if (request.headers.authorization !== `Bearer access-${this.accessTokens}`)
      return fault(response, 401, "InvalidAuthenticationToken", "Access token has expired.");
    const body = text === "" ? {} : (JSON.parse(text) as Partial<FixtureMail>);
    this.answerGraph(request.method ?? "GET", path, url, body, response);
  }

  private giveTokens(form: URLSearchParams, response: ServerResponse): void {
    const refuse = (error: string, description: string, status = 400): void =>
      void response
        .writeHead(status, { "content-type": "application/json" })
        .end(JSON.stringify({ error, error_description: description, error_codes: [] }));
    if (form.get("client_id") !== app.clientId || form.get("client_secret") !== app.clientSecret)
      return refuse("invalid_client", "AADSTS7000215: Invalid client secret provided.", 401);
    if (form.get("grant_type") === "authorization_code") {
      const verifier = form.get("code_verifier") ?? "";
      const challenge = createHash("sha256").update(verifier).digest("base64url");
      if (form.get("redirect_uri") !== redirectUri)
        return refuse("invalid_request", "AADSTS50011: The redirect URI does not match.");
      if (form.get("code") !== "good" || challenge !== this.challenge)
        return refuse("invalid_grant", "AADSTS501481: The Code_Verifier does not match.");
    } else if (form.get("refresh_token") !== this.refreshToken)
      return refuse("invalid_grant", "AADSTS700082: The refresh token has expired.");
    this.accessTokens++;
    this.refreshToken = `refresh-${this.accessTokens + 1}`;
    const claims = Buffer.from('{"preferred_username":"ada@contoso.example"}').toString(
      "base64url",
    );
    response.setHeader("content-type", "application/json").end(
      JSON.stringify({
        token_type: "Bearer",
        scope: "Mail.ReadWrite Mail.Send",
        expires_in: 3_599,
        access_token: `access-${this.accessTokens}`,
        refresh_token: this.refreshToken,
        id_token: `e30.${claims}.x`,
      }),
    );
  }

  private answerGraph(
    method: string,
    path: string,
    url: URL,
    body: Partial<FixtureMail>,
    response: ServerResponse,
  ): void {
    const give = (json: object, status = 200): void =>
      void response
        .writeHead(status, { "content-type": "application/json" })
        .end(JSON.stringify(json));
    const [, encoded = "", action = ""] =
      /^\/v1\.0\/me\/messages\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? [];
    const mail = this.mails.find((each) => each.id === decodeURIComponent(encoded));
    const add = (more: Partial<FixtureMail>): FixtureMail => {
      const made = {
        subject: "",
        toRecipients: [],
        body: { contentType: "text", content: "" },
        ...more,
        id: `new-${this.mails.length}`,
        isDraft: true,
      };
      this.mails.push(made);
      return made;
    };
    if (/^\/v1\.0\/me\/(mailFolders\/\w+\/)?messages$/.test(path)) {
      if (method === "POST") return give(add(body), 201);
      return this.list(url, response);
    }
    if (path === "/v1.0/me/sendMail") {
      this.sent.push(body);
      return void response.writeHead(202).end();
    }
    if (mail === undefined)
      return fault(response, 404, "ErrorItemNotFound", "The specified object was not found.");
    if (action === "attachments")
      return give({ value: (mail.files ?? []).map((file, n) => ({ id: String(n), ...file })) });
    if (action === "createReply")
      return give(add({ subject: `Re: ${mail.subject}`, toRecipients: [mail.from!] }), 201);
    if (action === "send") {
      this.sent.push(mail);
      return void response.writeHead(202).end();
    }
    if (method === "PATCH") Object.assign(mail, body);
    give(mail);
  }

  private list(url: URL, response: ServerResponse): void {
    const search = url.searchParams.get("$search");
    this.searches.push(search);
    if (search !== null && url.searchParams.has("$orderby"))
      return fault(
        response,
        400,
        "SearchWithOrderBy",
        "The query parameter '$orderBy' is not supported with '$search'.",
      );
    const words = (search ?? "").replaceAll('"', "").toLowerCase().split(" and ").filter(Boolean);
    const found = this.mails.filter((mail) =>
      words.every((word) => {
        const [key, value] = word.split(":");
        if (value === undefined)
          return /^received[<>]=/.test(word) || JSON.stringify(mail).toLowerCase().includes(word);
        return (
          key === "from" &&
          JSON.stringify(mail.from ?? "")
            .toLowerCase()
            .includes(value)
        );
      }),
    );
    const start = Number(url.searchParams.get("$skiptoken") ?? 0);
    const end = start + Number(url.searchParams.get("$top") ?? 10);
    const next = new URL(`https://graph.microsoft.com${url.pathname}${url.search}`);
    next.searchParams.set("$skiptoken", String(end));
    response.setHeader("content-type", "application/json").end(
      JSON.stringify({
        value: found.slice(start, end),
        ...(end < found.length ? { "@odata.nextLink": next.href } : {}),
      }),
    );
  }
}
