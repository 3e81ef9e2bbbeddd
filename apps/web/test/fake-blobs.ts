import type { FakeCall } from "./fake-call.ts";
import type { GatewayState } from "./gateway-state.ts";

/** An original, or a page of a scan, behind its signed address. Recordings are sent in ranges. */
export function sendBlob(state: GatewayState, { path, response, json }: FakeCall): void {
  const [id, , page] = path.slice("/blob/".length).split("/");
  const original = state.originals[id!];
  if (page !== undefined) {
    const scanned = original?.scanned?.[Number(page) - 1];
    response.writeHead(scanned ? 200 : 400, { "Content-Type": "image/webp" });
    response.end(scanned);
    return;
  }
  if (state.expiredAddresses > 0) {
    state.expiredAddresses--;
    return json({ error: "The address has expired." }, 404);
  }
  const headers = { "Content-Disposition": "attachment", "X-Content-Type-Options": "nosniff" };
  if (original && /^(audio|video)\//.test(original.mime)) {
    const { bytes, mime } = original;
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(response.req.headers.range ?? "") ?? [];
    const start = Number(first ?? 0);
    const end = Math.min(Number(last || bytes.length - 1), bytes.length - 1);
    response.writeHead(first === undefined ? 200 : 206, {
      ...headers,
      "Content-Type": mime,
      "Accept-Ranges": "bytes",
      "Content-Length": end - start + 1,
      ...(first !== undefined && { "Content-Range": `bytes ${start}-${end}/${bytes.length}` }),
    });
    response.end(bytes.subarray(start, end + 1));
    return;
  }
  response.writeHead(200, {
    ...headers,
    "Content-Type": original ? "application/octet-stream" : "application/pdf",
  });
  response.end(original?.bytes ?? state.pdf ?? undefined);
}
