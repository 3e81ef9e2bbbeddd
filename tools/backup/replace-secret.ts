import { findSecret, secretFingerprint, type InstanceConfig } from "@carrel/config";
import { recordFingerprint } from "@carrel/database";
import { forgetSecretNote } from "@carrel/messaging";
import { PlainError, say } from "../terminal.ts";
import { withInstance } from "./instance.ts";
import { refuseRunning } from "./load-database.ts";

/** Makes the database accept the configured secret, while Carrel is stopped. */
export async function acceptSecret(config: InstanceConfig): Promise<void> {
  await refuseRunning(config.DATABASE_URL);
  const secret = findSecret(config);
  await recordFingerprint(config.DATABASE_URL, secret && secretFingerprint(secret));
  await forgetSecretNote(config.REDIS_URL);
}

/** `./carrel replace-secret`: for a secret that was lost, found again or is being replaced. */
export async function replaceSecret(args: readonly string[]): Promise<void> {
  if (args.length > 0)
    throw new PlainError(
      "./carrel replace-secret takes no arguments: the new secret is CARREL_SECRET, or secret.key in the data folder.",
    );
  await withInstance(acceptSecret);
  say("The next start uses the present secret (CARREL_SECRET, or secret.key in the data folder)");
  process.stdout.write(
    "Everyone has to sign in again. Enter API keys of model providers and vector databases again in the settings, set webhooks' secrets, and create Carrel's own API keys, invites and two-factor codes again, unless the present secret is the one they were stored with.\n",
  );
}
