import type { ProcessConfig } from "@carrel/config";
import {
  CarrelError,
  checkApiKey,
  dumpSettings,
  resolveSettings,
  servicePrincipal,
  type Out,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { Route } from "../http/route.ts";

@Injectable()
export class DeveloperRoutes {
  /** The guard has already checked the key. */
  @Route(checkApiKey)
  check(): Promise<Out<typeof checkApiKey>> {
    return Promise.resolve({ authenticated: true });
  }
}

const mask = "********";

@Injectable()
export class DeveloperSystemRoutes {
  constructor(
    private readonly requests: RequestClient,
    @Inject(CONFIG) private readonly config: ProcessConfig,
  ) {}

  @Route(dumpSettings)
  async dump(): Promise<string> {
    if (!this.config.CARREL_ENV_DUMP) throw new CarrelError("access.env-dump-disabled");
    return renderEnvironment(
      await this.requests.request(
        resolveSettings,
        {},
        { scope: { principal: servicePrincipal, workspace: null } },
      ),
    );
  }
}

/** Lines of an environment file, without secrets; pure. */
export function renderEnvironment({
  values,
  secrets,
}: Pick<Out<typeof resolveSettings>, "values" | "secrets">): string {
  const shown = Object.entries(values).map(
    ([key, value]) => [key, withoutPassword(value)] as const,
  );
  const masked = Object.keys(secrets).map((key) => [key, mask] as const);
  return [...shown, ...masked]
    .filter(([key]) => /^[A-Za-z]\w*$/.test(key))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([key, value]) =>
        `${key}='${value.replaceAll("'", String.raw`\'`).replaceAll("\n", String.raw`\n`)}'\n`,
    )
    .join("");
}

/** Addresses may contain a password, which may contain a slash or an @ that should be escaped. */
const withoutPassword = (value: string): string => value.replace(/(\w+:\/\/)\S+@/g, `$1${mask}@`);
