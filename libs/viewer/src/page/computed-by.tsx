import { visible } from '../format/text.ts';

/** Who says what is shown, and in which words. */
export function ComputedBy({ engine, where }: { readonly engine: string; readonly where: string }) {
  return (
    <>
      Likelihoods use the words of ICD 203. Everything {where} was computed by engine {visible(engine)} from
      the sources named in it, except the interpretation, which a person or a language model wrote.
    </>
  );
}
