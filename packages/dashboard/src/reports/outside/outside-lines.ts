/** Code to copy that reads a report from outside the dashboard. */
export interface OutsideLines {
  curl: string;
  python: string;
  r: string;
  javascript: string;
}

/**
 * Writes the lines that read a report. They take the token from the variable OVERWORLD_TOKEN.
 * @param address The address of the report as JSON, with a query.
 * @param isTable True if the report can be CSV. Otherwise the tables have the variants of the first metric.
 */
export function writeOutsideLines(address: string, isTable: boolean): OutsideLines {
  const table = isTable ? `${address}&format=csv` : address;
  const text = quoteForCode(table);
  const python = `${text}, storage_options={"Authorization": "Bearer " + os.environ["OVERWORLD_TOKEN"]}`;
  const r = `url(${text}, headers = c(Authorization = token))`;
  return {
    curl: `curl ${quoteForShell(table)} -H "Authorization: Bearer $OVERWORLD_TOKEN"`,
    python: [
      'import os, pandas',
      isTable
        ? `report = pandas.read_csv(${python}, keep_default_na=False, na_values=[""])`
        : `report = pandas.DataFrame(pandas.read_json(${python}, typ="series")["metrics"][0]["variants"])`,
      'print(report)',
    ].join('\n'),
    r: [
      'token <- paste("Bearer", Sys.getenv("OVERWORLD_TOKEN"))',
      isTable
        ? `report <- read.csv(${r}, encoding = "UTF-8", na.strings = "")`
        : `report <- jsonlite::fromJSON(${r})$metrics$variants[[1]]`,
      'print(report)',
    ].join('\n'),
    javascript: [
      'const headers = { Authorization: `Bearer ${process.env.OVERWORLD_TOKEN}` };',
      `const report = await (await fetch(${quoteForCode(address)}, { headers })).json();`,
      'console.dir(report, { depth: null });',
    ].join('\n'),
  };
}

/** Quotes a text for POSIX shells, which read every character between single quotes as it is. */
export const quoteForShell = (text: string): string =>
  `'${text.replaceAll("'", String.raw`'\''`)}'`;

/**
 * Quotes a text for JavaScript, Python and R. All three know the escapes of JSON; R refuses the character
 * U+0000, which no address has.
 */
export const quoteForCode = (text: string): string => JSON.stringify(text);
