/**
 * Loaded into every thread of a service before anything else: notes each conversion between JSON and values
 * of a text that holds a marker, as a line of the file CONVERSIONS_LOG.
 */
import { appendFileSync } from 'node:fs';

const file = process.env.CONVERSIONS_LOG;
const { parse, stringify } = JSON;

function note(kind, text) {
  const marker = typeof text === 'string' ? /marker-\d+-end/.exec(text) : null;
  if (marker !== null) appendFileSync(file, `${kind} ${marker[0]}\n`);
}

JSON.parse = (text, ...rest) => {
  note('parse', text);
  return parse(text, ...rest);
};
JSON.stringify = (...args) => {
  const text = stringify(...args);
  note('stringify', text);
  return text;
};
