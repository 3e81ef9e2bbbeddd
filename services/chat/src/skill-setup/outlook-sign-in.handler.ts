import {
  CarrelError,
  beginOutlookSignIn,
  clipText,
  completeOutlookSignIn,
  getOutlookSettings,
  keepOutlookToken,
  servicePrincipal,
  type AgentSettings,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { SecretBox, SecretUnreadableError } from "@carrel/database";
import { Handle, RequestClient } from "@carrel/messaging";
import { exchangeOutlookCode, outlookAuthorizationUrl, type OutlookTokens } from "@carrel/skills";
import { Controller } from "@nestjs/common";
import { z } from "zod";

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };
const name = "Outlook";
/** How long a person may take on Microsoft's sign-in page. */
const pendingMs = 10 * 60_000;
const exchangeMs = 45_000;

/** What the browser keeps, sealed, during a sign-in. */
const pendingSignIn = z.object({
  kind: z.literal("outlook"),
  clientId: z.string(),
  tenantId: z.string(),
  state: z.string(),
  verifier: z.string(),
  redirectUri: z.string(),
  expiresAt: z.number(),
});
type PendingSignIn = z.infer<typeof pendingSignIn>;
type OutlookApp = NonNullable<AgentSettings["outlook"]>;

const expired = (cause?: unknown): CarrelError =>
  new CarrelError("account.sign-in-expired", { name }, { cause });

/** Signs the one person of the instance in to Outlook. */
@Controller()
export class OutlookSignInHandler {
  constructor(
    private readonly requests: RequestClient,
    private readonly box: SecretBox,
  ) {}

  @Handle(beginOutlookSignIn)
  async begin({
    redirectUri,
  }: In<typeof beginOutlookSignIn>): Promise<Out<typeof beginOutlookSignIn>> {
    const app = await this.findApp();
    if (app === null) throw new CarrelError("account.setup-missing", { name });
    const { url, state, verifier } = outlookAuthorizationUrl(app, redirectUri);
    const pending: PendingSignIn = {
      kind: "outlook",
      clientId: app.clientId,
      tenantId: app.tenantId,
      state,
      verifier,
      redirectUri,
      expiresAt: Date.now() + pendingMs,
    };
    return { url, sealed: this.box.seal(JSON.stringify(pending)) };
  }

  @Handle(completeOutlookSignIn)
  async complete({
    callbackUrl,
    sealed,
  }: In<typeof completeOutlookSignIn>): Promise<Out<typeof completeOutlookSignIn>> {
    const pending = this.open(sealed);
    const answer = new URL(callbackUrl).searchParams;
    if (pending.expiresAt < Date.now() || answer.get("state") !== pending.state) throw expired();
    const app = await this.findApp();
    if (app?.clientId !== pending.clientId || app.tenantId !== pending.tenantId) throw expired();
    const code = answer.get("code");
    if (code === null)
      throw new CarrelError("account.sign-in-failed", {
        name,
        details: clipText(answer.get("error_description") ?? answer.get("error") ?? "no code", 300),
      });
    const { refreshToken, address } = await this.exchange(app, { ...pending, code });
    await this.requests.request(
      keepOutlookToken,
      { clientId: app.clientId, refreshToken, replaces: null },
      { scope: serviceScope },
    );
    return { address };
  }

  /** Tests replace it, because it leaves the machine. */
  exchange(
    app: OutlookApp,
    answer: { code: string; verifier: string; redirectUri: string },
  ): Promise<OutlookTokens> {
    return exchangeOutlookCode(app, answer, { signal: AbortSignal.timeout(exchangeMs) });
  }

  private async findApp(): Promise<OutlookApp | null> {
    return (await this.requests.request(getOutlookSettings, {}, { scope: serviceScope })).outlook;
  }

  private open(sealed: string): PendingSignIn {
    try {
      return pendingSignIn.parse(JSON.parse(this.box.open(sealed)));
    } catch (error) {
      // Another instance secret, or another cookie's content.
      if (error instanceof SecretUnreadableError || error instanceof z.ZodError)
        throw expired(error);
      throw error;
    }
  }
}
