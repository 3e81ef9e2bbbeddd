import { Controller } from "@nestjs/common";
import {
  CarrelError,
  findUsers,
  readShare,
  readShareAsUser,
  servicePrincipal,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import {
  addressGroup,
  Handle,
  RequestClient,
  Throttle,
  type Bucket,
  type RequestContext,
} from "@carrel/messaging";
import { SettingsCache } from "../setting/settings-cache.ts";
import { ShareTokens } from "./share-token.ts";
import { SharedThreadRepository, type OpenShare } from "./shared-thread.repository.ts";
import { fitPage } from "./shared-turns.ts";
import { effectiveAudience, readSharingLimit } from "./sharing-limit.ts";

const turnsPerPage = 50;
/** Failed attempts of one address: a burst, and the time to earn one more. */
const attempts = { capacity: 100, refillMs: 3_000 };
const second = 1_000;

/** What others see of a thread. Whatever is wrong with a link, the reply is the same. */
@Controller()
export class SharedThreadHandler {
  constructor(
    private readonly threads: SharedThreadRepository,
    private readonly tokens: ShareTokens,
    private readonly settings: SettingsCache,
    private readonly throttle: Throttle,
    private readonly requests: RequestClient,
  ) {}

  @Handle(readShare)
  read(input: In<typeof readShare>, { scope }: RequestContext): Promise<Out<typeof readShare>> {
    return this.readPage(input, scope);
  }

  @Handle(readShareAsUser)
  readAsUser(
    input: In<typeof readShareAsUser>,
    { scope }: RequestContext,
  ): Promise<Out<typeof readShareAsUser>> {
    return this.readPage(input, scope);
  }

  private async readPage(
    { token, after }: In<typeof readShare>,
    scope: Scope,
  ): Promise<Out<typeof readShare>> {
    const buckets = [{ key: `share:${addressGroup(scope.address)}`, ...attempts }];
    await this.countAttempt(buckets);
    const share = await this.open(token, scope);
    if (share === null) throw missing();
    const rows = await this.threads.listTurns(share.id, after, turnsPerPage + 1);
    if (rows.length === 0) throw missing();
    // Only failed attempts count.
    await this.throttle.refund(buckets).catch(() => undefined);
    return {
      name: share.name,
      sharedAt: share.sharedAt.toISOString(),
      ...fitPage(rows, turnsPerPage, {
        reasoning: share.showReasoning,
        // They may name documents that no answer cites.
        mentions: scope.principal.kind !== "public",
      }),
    };
  }

  private async open(token: string, { principal }: Scope): Promise<OpenShare | null> {
    const [share, { values }] = await Promise.all([
      this.threads.open(this.tokens.hash(token)),
      this.settings.getInstance(),
    ]);
    if (share === null) return null;
    const audience = effectiveAudience(share.audience, readSharingLimit(values));
    const isAdmitted =
      audience === "anyone" || (audience === "team" && principal.kind !== "public");
    return isAdmitted && (await this.mayPublish(share.userId)) ? share : null;
  }

  /** Asked each time, so that a suspension applies at once and the links work again after it. */
  private async mayPublish(userId: number | null): Promise<boolean> {
    if (userId === null) return true;
    const { users } = await this.requests.request(
      findUsers,
      { ids: [userId] },
      { scope: { principal: servicePrincipal, workspace: null } },
    );
    return users[0] !== undefined && users[0].suspended !== true;
  }

  /** Links still open while Redis is down: tokens can't be guessed, the limit only saves work. */
  private async countAttempt(buckets: readonly Bucket[]): Promise<void> {
    const wait = await this.throttle.take(buckets).catch(() => 0);
    if (wait === 0) return;
    const seconds = Math.ceil(wait / second);
    throw new CarrelError(
      "access.too-many-attempts",
      { seconds, wait: seconds === 1 ? "a second" : `${seconds} seconds` },
      { retryAfter: seconds },
    );
  }
}

const missing = (): CarrelError => new CarrelError("share.not-found");
