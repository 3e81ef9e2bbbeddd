import { BlockList, isIP } from "node:net";

const thisMachine = new BlockList();
thisMachine.addSubnet("127.0.0.0", 8);
thisMachine.addAddress("::1", "ipv6");

const isThisMachine = (host: string): boolean => {
  const version = isIP(host);
  return version === 0
    ? host === "localhost" || host.endsWith(".localhost")
    : thisMachine.check(host, version === 6 ? "ipv6" : "ipv4");
};

/**
 * What to tell whoever starts an instance that other devices may reach and that has neither a
 * password nor accounts; null if there is nothing to tell, or the mode is unknown.
 */
export async function warnOfOpenInstance(
  host: string,
  mode: () => Promise<{ RequiresAuth: boolean }>,
): Promise<string | null> {
  if (isThisMachine(host)) return null;
  const settings = await mode().catch(() => null);
  return settings === null || settings.RequiresAuth
    ? null
    : `Anyone who can reach ${host} can use this instance and become its owner: it has no password and no accounts. What to do: open it now and set a password or create accounts, or let only this machine reach it until then (CARREL_HOST=127.0.0.1; Compose: CARREL_ADDRESS).`;
}
