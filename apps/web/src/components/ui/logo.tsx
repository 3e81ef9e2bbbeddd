import { useState } from "react";
import { useAppName, useCustomLogo } from "../../lib/brand.ts";

/**
 * The instance's own logo if it can be displayed, otherwise the wordmark, whose C is a carrel seen
 * from above.
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
      fill="none"
      stroke="currentColor"
      strokeWidth="2.3"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d="M16 5.2H9.2A4.8 4.8 0 0 0 4.4 10v4a4.8 4.8 0 0 0 4.8 4.8H16" />
      <circle className="fill-accent-solid stroke-none" cx="15.9" cy="12" r="2.7" />
      <path
        transform="translate(.6)"
        d="M30.6 10.3v8.5M30.6 14.55a4.05 4.25 0 1 0-8.1 0 4.05 4.25 0 1 0 8.1 0zM35.8 10.3v8.5M35.8 14.4a4 4 0 0 1 4-4.1h.4M44.4 10.3v8.5M44.4 14.4a4 4 0 0 1 4-4.1h.4M51.6 14.5h8.2a4.1 4.25 0 1 0-1.25 3.1M64.8 5.2v13.6"
      />
    </svg>
  );
}
