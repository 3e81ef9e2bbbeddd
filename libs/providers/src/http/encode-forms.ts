/**
 * undici's fetch, which egress uses, doesn't recognise the FormData that Node and the SDKs create,
 * so forms are encoded before they are sent.
 */
export function withEncodedForms(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    if (!(init?.body instanceof FormData)) return send(input, init);
    const form = new Response(init.body);
    const headers = new Headers(init.headers);
    headers.set("content-type", form.headers.get("content-type")!);
    return send(input, { ...init, headers, body: await form.arrayBuffer() });
  };
}
