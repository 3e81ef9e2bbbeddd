import {
  CarrelError,
  testProvider,
  type In,
  type KnownFault,
  type Out,
  type ProviderField,
  type Scope,
} from "@carrel/contracts";
import { Handle, Throttle, type RequestContext } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { ProviderError, testConnection } from "@carrel/providers";
import { LOGGER } from "@carrel/runtime";
import { Controller, Inject } from "@nestjs/common";
import { findProvider, validateSetting } from "../setting/setting-definition.ts";
import { SettingStore } from "../setting/setting-store.ts";
import { isMasked, overlaySettings } from "./overlay-settings.ts";

const second = 1_000;
/** One person's tests in a row, and the time to earn one more: vendors charge for each. */
const tests = { capacity: 20, refillMs: 3 * second };

@Controller()
export class ProviderTestHandler {
  constructor(
    private readonly settings: SettingStore,
    private readonly throttle: Throttle,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** A failed test is an answer, not an error. */
  @Handle(testProvider)
  async test(
    input: In<typeof testProvider>,
    { scope }: RequestContext,
  ): Promise<Out<typeof testProvider>> {
    await this.countTest(scope);
    const provider = findProvider(input.kind, input.provider);
    const fields = provider?.fields ?? [];
    const invalid = findInvalid(fields, input.settings);
    if (invalid !== null) return { result: null, fault: invalid };
    const stored = await this.settings.readOpened(scope);
    const settings = provider ? overlaySettings(provider, stored, input.settings) : {};
    try {
      return { result: await testConnection(input.kind, input.provider, settings), fault: null };
    } catch (error) {
      if (error instanceof ProviderError) {
        const isWithheld = fields.some(({ key }) => stored.has(key) && settings[key] === undefined);
        return { result: null, fault: isWithheld ? withheldKey(error) : error.fault };
      }
      this.logger.warn({ err: error, provider: input.provider }, "couldn't test a provider");
      return { result: null, fault: { code: "request.failed" } };
    }
  }

  /** While Redis is down, tests aren't limited. */
  private async countTest({ principal }: Scope): Promise<void> {
    const key = `provider-test:${principal.userId ?? principal.kind}`;
    const wait = await this.throttle.take([{ key, ...tests }]).catch(() => 0);
    if (wait === 0) return;
    const seconds = Math.ceil(wait / second);
    throw new CarrelError(
      "access.too-many-attempts",
      { seconds, wait: seconds === 1 ? "a second" : `${seconds} seconds` },
      { retryAfter: seconds },
    );
  }
}

/** The stored key isn't sent to a new address, so a refusal there says nothing about it. */
const withheldKey = ({ kind, fault }: ProviderError): KnownFault =>
  kind === "authentication" || fault.code === "provider.test-without-key"
    ? { code: "provider.key-for-other-address" }
    : fault;

/** What saving these values would refuse. */
function findInvalid(
  fields: readonly ProviderField[],
  settings: Record<string, string>,
): KnownFault | null {
  for (const { key } of fields) {
    const value = settings[key] ?? "";
    const fault = value.trim() === "" || isMasked(value) ? null : validateSetting(key, value);
    if (fault !== null) return fault;
  }
  return null;
}
