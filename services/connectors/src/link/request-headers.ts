/**
 * Headers that callers can't set, because they concern the connection or the form of the response.
 */
const reserved =
  /^(host|connection|content-length|content-type|transfer-encoding|te|trailer|upgrade|expect|keep-alive|accept|accept-encoding|range|via|proxy-.*|sec-.*)$/i;
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
const maxHeaders = 50;

/** Filters the requested headers, dropping invalid and reserved ones. */
export const chooseHeaders = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .slice(0, maxHeaders)
      .filter(
        ([name, value]) => headerName.test(name) && !reserved.test(name) && headerValue.test(value),
      )
      .map(([name, value]) => [name.toLowerCase(), value]),
  );
