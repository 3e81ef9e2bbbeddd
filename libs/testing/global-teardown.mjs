export default function globalTeardown() {
  globalThis.__closeTestServers?.();
}
