import { useState } from "react";
import { useAppName, useCustomLogo } from "../../lib/brand.ts";

/**
 * The instance's own logo if it can be displayed, otherwise the wordmark (in index.html), whose C
 * is a carrel seen from above.
 */
export function Logo({ height = 20 }: { height?: number }) {
  const name = useAppName();
  const custom = useCustomLogo();
  const [broken, setBroken] = useState<string | null>(null);
  // Uploaded images usually include padding, so they get more height than the wordmark.
  if (custom !== null && custom !== broken)
    return (
      <img
        className="block w-auto max-w-44 object-contain object-left rtl:object-right"
        data-slot="logo"
        style={{ blockSize: Math.round(height * 1.5) }}
        src={custom}
        alt={name}
        onError={() => setBroken(custom)}
      />
    );
  return (
    <svg
      className="block w-auto text-fg-1"
      data-slot="logo"
      style={{ blockSize: height }}
      viewBox="2 3 65 18"
      role="img"
      aria-label={name}
    >
      <use href="#wordmark" />
    </svg>
  );
}
