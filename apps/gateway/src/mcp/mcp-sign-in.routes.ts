import type { ProcessConfig } from "@carrel/config";
import {
  CarrelError,
  beginMcpSignIn,
  completeMcpSignIn,
  finishMcpSignIn,
  readMcpClient,
  startMcpSignIn,
  type Out,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { publicOrigin } from "../http/public-origin.ts";
import { Route, type Call } from "../http/route.ts";
import { mcpSignInCookie, mcpSignInSeconds, setCookie } from "../session/cookies.ts";
import { redirectOr, takeReturn, withQuery } from "../session/sign-in-return.ts";

const callbackPath = "/api/mcp-servers/callback";
const clientPath = "/api/mcp-servers/client";
/** Page of the web app that shows how a sign-in ended. */
const landingPath = "/settings/mcp-servers";

/** Sends the browser to the sign-in page of an MCP server, and takes it back. */
@Injectable()
export class McpSignInRoutes {
  constructor(
    private readonly requests: RequestClient,
    @Inject(CONFIG) private readonly config: ProcessConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Route(startMcpSignIn)
  async start({
    input: { id },
    scope,
    request,
    reply,
  }: Call<typeof startMcpSignIn>): Promise<Out<typeof startMcpSignIn>> {
    const redirectUri = `${publicOrigin(request, this.config)}${callbackPath}`;
    const { url, sealed } = await this.requests.request(
      beginMcpSignIn,
      { id, redirectUri },
      { scope },
    );
    setCookie(request, reply, this.config, mcpSignInCookie, sealed, mcpSignInSeconds);
    return { url };
  }

  @Route(finishMcpSignIn)
  async finish({ scope, request, reply }: Call<typeof finishMcpSignIn>): Promise<void> {
    const { logger } = this;
    const failed = "a sign-in to an MCP server failed";
    await redirectOr(landingPath, { reply, logger, failed }, async () => {
      const { sealed, callbackUrl } = takeReturn(request, reply, this.config, {
        cookie: mcpSignInCookie,
        path: callbackPath,
      });
      if (sealed === null) throw new CarrelError("mcp.sign-in-expired");
      const { name } = await this.requests.request(
        completeMcpSignIn,
        { callbackUrl, sealed },
        { scope },
      );
      return withQuery(landingPath, { connected: name });
    });
  }

  @Route(readMcpClient)
  client({ request }: Call<typeof readMcpClient>): Out<typeof readMcpClient> {
    const origin = publicOrigin(request, this.config);
    return {
      client_id: `${origin}${clientPath}`,
      client_name: "Carrel",
      client_uri: origin,
      redirect_uris: [`${origin}${callbackPath}`],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
  }
}
