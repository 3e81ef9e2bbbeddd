import type { InstanceConfig } from "@carrel/config";
import { CarrelError } from "@carrel/contracts";

/** DISABLED unless one-time sign-in tokens are enabled and the instance has accounts. */
export function requireSimpleSso(
  config: Pick<InstanceConfig, "SIMPLE_SSO_ENABLED">,
  mode: "single" | "multi",
): void {
  if (!config.SIMPLE_SSO_ENABLED) throw new CarrelError("sign-in.sso-disabled");
  if (mode !== "multi") throw new CarrelError("sign-in.sso-without-accounts");
}

/**
 * Whether password login is off. The switch counts only with another sign-in method, because it
 * would otherwise lock everyone out.
 */
export const isPasswordLoginOff = (
  config: Pick<
    InstanceConfig,
    "SIMPLE_SSO_ENABLED" | "SIMPLE_SSO_NO_LOGIN" | "CARREL_OIDC_ISSUER" | "CARREL_OIDC_CLIENT_ID"
  >,
): boolean => config.SIMPLE_SSO_NO_LOGIN && (config.SIMPLE_SSO_ENABLED || isOpenIdSetUp(config));

/** DISABLED if password login is off: nothing may create or check passwords then. */
export function requirePasswordLogin(config: Parameters<typeof isPasswordLoginOff>[0]): void {
  if (isPasswordLoginOff(config)) throw new CarrelError("sign-in.password-disabled");
}

export const isOpenIdSetUp = (
  config: Pick<InstanceConfig, "CARREL_OIDC_ISSUER" | "CARREL_OIDC_CLIENT_ID">,
): boolean => config.CARREL_OIDC_ISSUER !== undefined && config.CARREL_OIDC_CLIENT_ID !== undefined;
