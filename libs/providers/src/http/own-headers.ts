const known =
  /^(accept|content-type|authorization|x-api-key|anthropic-(version|beta)|user-agent|idempotency-key|x-stainless-.+)$/;

/**
 * Passes on only the headers that the vendors' protocols need, and sets those in `own`; null
 * removes one. The SDKs also send whatever OPENAI_CUSTOM_HEADERS, ANTHROPIC_CUSTOM_HEADERS and
 * OLLAMA_API_KEY contain, with no option to disable that, but only the settings may decide what is
 * sent.
 */
export function withOwnHeaders(
  send: typeof fetch,
  own: Readonly<Record<string, string | null>>,
): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    for (const name of [...headers.keys()]) if (!known.test(name)) headers.delete(name);
    for (const [name, value] of Object.entries(own)) {
      if (value === null) headers.delete(name);
      else headers.set(name, value);
    }
    return send(input, { ...init, headers });
  };
}
