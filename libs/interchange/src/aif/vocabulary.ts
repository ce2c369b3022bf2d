/** Source: AIF-RDF, the ontology of the Argument Interchange Format (arg.dundee.ac.uk/aif). */
export const AIF = 'http://www.arg.dundee.ac.uk/aif#';
/** Names that AIF has none for. */
const OWN = 'urn:investigation:';
/** The ids of the nodes of an investigation begin so, followed by list and id. */
export const NODE = 'urn:investigation:node:';

/**
 * `record` is the item of our own JSON that a node stands for, verbatim (JSON-LD 1.1 §4.2.2), so that nothing
 * is lost on the way back.
 */
export const CONTEXT = {
  '@version': 1.1,
  aif: AIF,
  claimText: 'aif:claimText',
  Premise: { '@id': 'aif:Premise', '@type': '@id' },
  Conclusion: { '@id': 'aif:Conclusion', '@type': '@id' },
  ConflictingElement: { '@id': 'aif:ConflictingElement', '@type': '@id' },
  ConflictedElement: { '@id': 'aif:ConflictedElement', '@type': '@id' },
  list: `${OWN}list`,
  record: { '@id': `${OWN}record`, '@type': '@json' },
} as const;

/** The lists of an investigation, and where its settings stand. */
export const LISTS = ['actors', 'subjects', 'claims', 'evidence', 'inferences', 'distinctions'] as const;
export const SETTINGS = 'settings';
