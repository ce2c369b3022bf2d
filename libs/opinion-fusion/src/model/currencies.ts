/**
 * The words and signs of currencies, once. All keys are in normal form, that is in lower case.
 */

/** Codes of ISO 4217 for currencies in use. */
const CURRENCY_CODES = new Set(
  `aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bhd bif bmd bnd bob brl bsd btn bwp byn bzd cad cdf chf clp
  cny cop crc cup cve czk djf dkk dop dzd egp ern etb eur fjd fkp gbp gel ghs gip gmd gnf gtq gyd hkd hnl htg huf idr ils
  inr iqd irr isk jmd jod jpy kes kgs khr kmf kpw krw kwd kyd kzt lak lbp lkr lrd lsl lyd mad mdl mga mkd mmk mnt mop mru
  mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd omr pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr sdg sek
  sgd shp sle sos srd ssp stn svc syp szl thb tjs tmt tnd top try ttd twd tzs uah ugx usd uyu uzs ves vnd vuv wst xaf xcd
  xcg xof xpf yer zar zmw zwg`.split(/\s+/),
);

/**
 * Codes that mean nothing else in lower case either. All others are read in capitals only: `all`, `top` and
 * `kgs` are words.
 */
const CODES_IN_ANY_CASE = new Set('usd eur gbp jpy chf cny'.split(' '));
/**
 * Codes that before a bare small number name something else even in capitals: `TOP 10`, `COP26`, `SDG 13`,
 * `CRC 32`, `R5`.
 */
const NAMES_BEFORE_NUMBERS = new Set('all top cop sdg cve crc bsd ssp r rm'.split(' '));

/** Currencies that several countries name alike: the nouns, then each country's adjective and code. */
const NATIONAL: readonly (readonly [nouns: string, codes: string])[] = [
  [
    'dollar dollars',
    `us usd, american usd, united states usd, canadian cad, australian aud, new zealand nzd, hong kong hkd,
     singapore sgd, singaporean sgd, taiwan twd, new taiwan twd, taiwanese twd, jamaican jmd, namibian nad,
     bahamian bsd, barbadian bbd, barbados bbd, belize bzd, bermudian bmd, brunei bnd, fijian fjd, guyanese gyd,
     liberian lrd, east caribbean xcd, eastern caribbean xcd`,
  ],
  ['pound pounds', 'british gbp, egyptian egp, lebanese lbp, syrian syp, sudanese sdg, south sudanese ssp'],
  [
    'rupee rupees',
    'indian inr, pakistani pkr, pakistan pkr, sri lankan lkr, nepalese npr, nepali npr, mauritian mur',
  ],
  [
    'peso pesos',
    `mexican mxn, argentine ars, argentinian ars, colombian cop, chilean clp, philippine php, cuban cup,
     dominican dop, uruguayan uyu`,
  ],
  [
    'dinar dinars',
    `kuwaiti kwd, iraqi iqd, jordanian jod, serbian rsd, algerian dzd, tunisian tnd, libyan lyd, bahraini bhd`,
  ],
  ['rial rials riyal riyals', 'saudi sar, qatari qar, qatar qar, iranian irr, omani omr, yemeni yer'],
  ['franc francs', 'swiss chf, congolese cdf, rwandan rwf, burundian bif, burundi bif, guinean gnf'],
  ['shilling shillings', 'kenyan kes, kenya kes, tanzanian tzs, ugandan ugx, uganda ugx, somali sos'],
  [
    'krona kronor kronas krone kroner krones kronur crown crowns',
    'swedish sek, norwegian nok, danish dkk, icelandic isk, czech czk',
  ],
  ['koruna korunas koruny', 'czech czk'],
  ['lira liras lire', 'turkish try, lebanese lbp, syrian syp'],
  ['ruble rubles rouble roubles', 'russian rub, belarusian byn'],
  ['yuan renminbi', 'chinese cny'],
  ['yen', 'japanese jpy'],
  ['won', 'korean krw, south korean krw, north korean kpw'],
  ['real reals reais', 'brazilian brl'],
  ['rand', 'south african zar'],
  ['dirham dirhams', 'uae aed, emirati aed, moroccan mad'],
  ['leu lei', 'romanian ron, moldovan mdl'],
  ['lev leva levs', 'bulgarian bgn'],
  ['kwacha', 'zambian zmw, malawian mwk'],
  ['manat manats', 'azerbaijani azn, turkmen tmt'],
  ['naira', 'nigerian ngn'],
  ['zloty zlotys', 'polish pln'],
  ['forint forints', 'hungarian huf'],
  ['hryvnia hryvnias', 'ukrainian uah'],
  ['shekel shekels', 'israeli ils'],
  ['baht', 'thai thb'],
];

/** Signs and words that stand for one currency. Bare `$` is USD and `¥` is JPY: reasoning model §11. */
const CURRENCY_SIGNS = new Map([
  ...Object.entries({
    usd: ['$', 'us$', 'dollar', 'dollars'],
    czk: ['kč'],
    huf: ['forint', 'forints'],
    zar: ['rand'],
    eur: ['€', 'euro', 'euros'],
    gbp: ['£', 'gb£', 'uk£', 'sterling', 'pound sterling', 'pounds sterling'],
    jpy: ['¥', 'jp¥', 'yen'],
    cny: ['cn¥', 'rmb', 'yuan', 'renminbi'],
    chf: ['sfr'],
    aud: ['a$', 'au$'],
    ars: ['ar$'],
    bbd: ['bds$'],
    bdt: ['taka'],
    brl: ['r$', 'reais'],
    bzd: ['bz$'],
    cad: ['c$', 'ca$'],
    dop: ['rd$'],
    etb: ['birr'],
    fjd: ['fj$'],
    hkd: ['hk$'],
    idr: ['rupiah', 'rupiahs'],
    jmd: ['j$', 'ja$'],
    kes: ['ksh', 'kshs'],
    mxn: ['mx$'],
    myr: ['ringgit', 'ringgits'],
    nad: ['n$'],
    nzd: ['nz$'],
    sgd: ['s$', 'sg$'],
    ttd: ['tt$'],
    twd: ['nt$'],
    tzs: ['tsh', 'tshs'],
    ugx: ['ush', 'ushs'],
    xcd: ['ec$'],
    azn: ['₼'],
    crc: ['₡'],
    gel: ['₾', 'lari'],
    ghs: ['₵', 'gh₵', 'gh¢', 'cedi', 'cedis'],
    ils: ['₪', 'shekel', 'shekels'],
    inr: ['₹'],
    krw: ['₩', 'won'],
    kzt: ['₸', 'tenge'],
    lak: ['₭'],
    mnt: ['₮'],
    ngn: ['₦', 'naira'],
    php: ['₱'],
    pln: ['zł', 'zloty', 'zlotys', 'złoty', 'złotych'],
    pyg: ['₲'],
    rub: ['₽', 'ruble', 'rubles', 'rouble', 'roubles'],
    thb: ['฿', 'baht'],
    try: ['₺'],
    uah: ['₴', 'hryvnia', 'hryvnias'],
    vnd: ['₫', 'dong'],
  }).flatMap(([code, signs]) => signs.map((sign) => [sign, code] as const)),
  ...NATIONAL.flatMap(([nouns, codes]) =>
    codes.split(/,\s+/).flatMap((entry) => {
      const [adjective, code] = [entry.slice(0, -4), entry.slice(-3)];
      return nouns.split(' ').map((noun) => [`${adjective} ${noun}`, code] as const);
    }),
  ),
]);

/** By normal form: letters that stand for a currency before a number, as they are written, and its name. */
const LETTERS_BEFORE = new Map(
  Object.entries({ Rs: 'rupee', Rp: 'IDR', Tk: 'BDT', RM: 'MYR', R: 'ZAR' }).map(([written, currency]) => [
    written.toLowerCase(),
    { written, currency },
  ]),
);
/** Those letters for a regular expression; a full stop may follow them. */
export const CURRENCY_LETTERS = [...LETTERS_BEFORE.keys(), 'kshs?', 'tshs?', 'ushs?'].join('|');

/**
 * The ISO 4217 code, in capitals, of a currency's code, sign or name; null for anything else. `isCapital`
 * tells whether the word was written in capitals.
 */
export function currencyOf(word: string, isCapital: boolean): string | null {
  const code = CURRENCY_CODES.has(word)
    ? isCapital || CODES_IN_ANY_CASE.has(word)
      ? word
      : undefined
    : CURRENCY_SIGNS.get(word);
  return code === undefined ? null : code.toUpperCase();
}

/**
 * The currency that letters before a number stand for, such as `Rs` and `RM`: `rs` and `Rm` are none. null
 * for all other letters. `written` is the value in its own case.
 */
export function currencyBefore(letters: string, written: string): string | null {
  const found = LETTERS_BEFORE.get(letters);
  return found && written.includes(found.written) ? found.currency : null;
}

/**
 * Whether a currency code before a number is likelier a name, unless the number is written like an amount of
 * money.
 */
export function isNameBeforeNumbers(code: string): boolean {
  return NAMES_BEFORE_NUMBERS.has(code);
}
