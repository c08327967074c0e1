/**
 * The countries that this provider accepts in addresses: ISO 3166-1 codes, its own display names, and internal aliases.
 */

export type Country = {
  readonly iso2: string
  readonly iso3: string
  readonly display_name: string
  readonly aliases: readonly string[]
}

const rows: readonly (readonly [iso2: string, iso3: string, displayName: string, ...aliases: string[]])[] = [
  ['AE', 'ARE', 'United Arab Emirates', 'UAE'],
  ['AR', 'ARG', 'Argentina'],
  ['AT', 'AUT', 'Austria'],
  ['AU', 'AUS', 'Australia'],
  ['BE', 'BEL', 'Belgium'],
  ['BG', 'BGR', 'Bulgaria'],
  ['BR', 'BRA', 'Brazil'],
  ['CA', 'CAN', 'Canada'],
  ['CH', 'CHE', 'Switzerland'],
  ['CL', 'CHL', 'Chile'],
  ['CO', 'COL', 'Colombia'],
  ['CR', 'CRI', 'Costa Rica'],
  ['CY', 'CYP', 'Cyprus'],
  ['CZ', 'CZE', 'Czechia', 'Czech Republic'],
  ['DE', 'DEU', 'Germany'],
  ['DK', 'DNK', 'Denmark'],
  ['EE', 'EST', 'Estonia'],
  ['EG', 'EGY', 'Egypt'],
  ['ES', 'ESP', 'Spain'],
  ['FI', 'FIN', 'Finland'],
  ['FR', 'FRA', 'France'],
  ['GB', 'GBR', 'United Kingdom', 'UK'],
  ['GH', 'GHA', 'Ghana'],
  ['GR', 'GRC', 'Greece', 'EL'],
  ['HK', 'HKG', 'Hong Kong'],
  ['HR', 'HRV', 'Croatia'],
  ['HU', 'HUN', 'Hungary'],
  ['ID', 'IDN', 'Indonesia'],
  ['IE', 'IRL', 'Ireland'],
  ['IL', 'ISR', 'Israel'],
  ['IN', 'IND', 'India'],
  ['IS', 'ISL', 'Iceland'],
  ['IT', 'ITA', 'Italy'],
  ['JP', 'JPN', 'Japan'],
  ['KE', 'KEN', 'Kenya'],
  ['KR', 'KOR', 'Korea, Republic of', 'South Korea'],
  ['LI', 'LIE', 'Liechtenstein'],
  ['LT', 'LTU', 'Lithuania'],
  ['LU', 'LUX', 'Luxembourg'],
  ['LV', 'LVA', 'Latvia'],
  ['MA', 'MAR', 'Morocco'],
  ['MT', 'MLT', 'Malta'],
  ['MX', 'MEX', 'Mexico'],
  ['MY', 'MYS', 'Malaysia'],
  ['NG', 'NGA', 'Nigeria'],
  ['NL', 'NLD', 'Netherlands', 'Holland'],
  ['NO', 'NOR', 'Norway'],
  ['NZ', 'NZL', 'New Zealand'],
  ['PE', 'PER', 'Peru'],
  ['PH', 'PHL', 'Philippines'],
  ['PL', 'POL', 'Poland'],
  ['PT', 'PRT', 'Portugal'],
  ['RO', 'ROU', 'Romania'],
  ['SE', 'SWE', 'Sweden'],
  ['SG', 'SGP', 'Singapore'],
  ['SI', 'SVN', 'Slovenia'],
  ['SK', 'SVK', 'Slovakia'],
  ['TH', 'THA', 'Thailand'],
  ['TR', 'TUR', 'Türkiye', 'Turkey'],
  ['UA', 'UKR', 'Ukraine'],
  ['US', 'USA', 'United States'],
  ['UY', 'URY', 'Uruguay'],
  ['VN', 'VNM', 'Viet Nam'],
  ['ZA', 'ZAF', 'South Africa'],
]

export const countries: readonly Country[] = rows.map(([iso2, iso3, display_name, ...aliases]) => ({
  iso2,
  iso3,
  display_name,
  aliases,
}))
