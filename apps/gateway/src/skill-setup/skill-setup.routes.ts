import type { InstanceConfig } from "@carrel/config";
import {
  CarrelError,
  beginOutlookSignIn,
  checkDatabase,
  completeOutlookSignIn,
  finishOutlookSignIn,
  isErrorCode,
  startOutlookSignIn,
  validateSqlConnection,
  type Out,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { CONFIG, LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { readCookie } from "../access/bearer.ts";
import { encodeFault, setFault } from "../http/fault-header.ts";
import { publicOrigin } from "../http/public-origin.ts";
import { Route, type Call } from "../http/route.ts";
import { outlookCookie, outlookSeconds, setCookie } from "../session/cookies.ts";

/** The agents page of the web app names this one, because the app's registration needs it. */
const callbackPath = "/api/agent-skills/outlook/auth-callback";
/** Page of the web app that shows how a sign-in ended. */
const landingPath = "/settings/agents";

/**
 * Sends the browser to Microsoft's sign-in page and takes it back, and tries the databases that
 * agents may query.
 */
@Injectable()
export class SkillSetupRoutes {
  constructor(
    private readonly requests: RequestClient,
    @Inject(CONFIG) private readonly config: InstanceConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The wire's sentence doesn't say why a connection failed; the header does. */
  @Route(validateSqlConnection)
  async testDatabase({
    input,
    scope,
    reply,
  }: Call<typeof validateSqlConnection>): Promise<Out<typeof validateSqlConnection>> {
    const { fault } = await this.requests.request(checkDatabase, input, { scope });
    if (fault === null) return { success: true, error: null };
    const { code, params = {} } = fault;
    if (isErrorCode(code)) setFault(reply, { code, params });
    return {
      success: false,
      error: `Unable to connect to ${input.engine}. Please verify your connection details.`,
    };
  }

  @Route(startOutlookSignIn)
  async start({
    scope,
    request,
    reply,
  }: Call<typeof startOutlookSignIn>): Promise<Out<typeof startOutlookSignIn>> {
    const redirectUri = `${publicOrigin(request, this.config)}${callbackPath}`;
    const { url, sealed } = await this.requests.request(
      beginOutlookSignIn,
      { redirectUri },
      { scope },
    );
    setCookie(request, reply, this.config, outlookCookie, sealed, outlookSeconds);
    return { success: true, url, error: null };
  }

  @Route(finishOutlookSignIn)
  async finish({ scope, request, reply }: Call<typeof finishOutlookSignIn>): Promise<void> {
    // Each cookie is valid for one attempt, whatever its outcome.
    setCookie(request, reply, this.config, outlookCookie, "", 0);
    let result: Record<string, string>;
    try {
      const sealed = readCookie(request.headers.cookie, outlookCookie.name);
      if (sealed === null) throw new CarrelError("account.sign-in-expired", { name: "Outlook" });
      const { search } = new URL(request.raw.url ?? "/", "http://localhost");
      const callbackUrl = `${publicOrigin(request, this.config)}${callbackPath}${search}`;
      const { address } = await this.requests.request(
        completeOutlookSignIn,
        { callbackUrl, sealed },
        { scope },
      );
      result = { connected: address ?? "Outlook" };
    } catch (error) {
      const isKnown = error instanceof CarrelError && error.kind !== "INTERNAL";
      if (!isKnown) this.logger.error({ err: error }, "a sign-in to Outlook failed");
      result = { fault: encodeFault(isKnown ? error : new CarrelError("request.failed")) };
    }
    const query = new URLSearchParams({ skill: "outlook-agent", ...result });
    await reply.code(302).header("location", `${landingPath}?${query}`).send();
  }
}
