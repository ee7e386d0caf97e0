//! Serialization round trips: values are read back unchanged, and values that a constructor would
//! reject are rejected.

use core::fmt::Debug;

use queens_core::{
    Check, Checks, Class, ClassCounts, Form, Method, Numbers, Placement, Queens, Rule, Size,
    Stepped, Transform, notation,
};

use serde::{
    Deserialize, Serialize,
    de::{DeserializeOwned, value::BytesDeserializer},
};
use serde_json::{Value, json};

use crate::size;

/// Checks that a value is serialized as `expected` and read back unchanged.
fn check_round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(
    value: &T,
    expected: Value,
) {
    assert_eq!(serde_json::to_value(value).unwrap(), expected);
    assert_eq!(&serde_json::from_value::<T>(expected).unwrap(), value);
}

/// The error message for a rejected value.
fn rejection<T: DeserializeOwned + Debug>(value: Value) -> String {
    serde_json::from_value::<T>(value).unwrap_err().to_string()
}

/// Reads a solution from a binary format.
fn from_bytes(columns: &[u8]) -> Result<Placement, serde::de::value::Error> {
    Placement::deserialize(BytesDeserializer::new(columns))
}

#[test]
fn values_round_trip_through_serde() {
    for size in Size::all() {
        check_round_trip(&size, json!(size.get()));
    }
    for &method in Method::ALL {
        check_round_trip(&method, json!(method.id()));
    }
    for &method in Stepped::ALL {
        check_round_trip(&method, json!(method.id()));
    }
    for form in Form::ALL {
        check_round_trip(&form, json!(form.id()));
    }
    for rule in Rule::ALL {
        check_round_trip(&rule, json!(rule.id()));
    }
    for transform in Transform::ALL {
        check_round_trip(&transform, json!(transform.id()));
    }
    for class in Class::ALL {
        check_round_trip(&class, json!(class.members()));
    }
    let placement = Placement::from_right(&[2, 0, 3, 1]).unwrap();
    check_round_trip(&placement, json!([2, 0, 3, 1]));
    assert_eq!(from_bytes(&[2, 0, 3, 1]).unwrap(), placement);
    check_round_trip(&Queens::none(size(3)), json!([3, []]));
    check_round_trip(&notation::queens(size(4), "0:1,2:0").unwrap(), json!([4, [[0, 2], [2, 3]]]));
    let counts = ClassCounts { count2: 0, count4: 1, count8: u64::MAX };
    let expected = json!({ "count2": "0", "count4": "1", "count8": u64::MAX.to_string() });
    check_round_trip(&counts, expected);
    check_round_trip(&Numbers::of_classes([0, 0, 1, 11]).unwrap(), json!([0, 0, 1, 11]));
    check_round_trip(&Check::ALL.into_iter().collect::<Checks>(), json!(Check::ALL.map(Check::id)));
}

#[test]
fn deserialization_enforces_constructor_checks() {
    for n in [0, 33, u32::MAX] {
        assert_eq!(rejection::<Size>(json!(n)), Size::new(n).unwrap_err().to_string());
    }
    assert!(rejection::<Method>(json!("magic")).starts_with("expected one of brute-force, "));
    assert!(rejection::<Stepped>(json!("colours")).starts_with("expected one of brute-force, "));
    assert_eq!(rejection::<Form>(json!("circular")), "expected one of recursive, iterative");
    assert_eq!(rejection::<Class>(json!(3)), "no class has 3 members");
    for columns in [&[0, 1][..], &[4, 0, 3, 1], &[], &[0; 33]] {
        let error = Placement::from_right(columns).unwrap_err();
        assert_eq!(rejection::<Placement>(json!(columns)), error.to_string());
        let bytes: Vec<u8> = columns.iter().map(|&column| column as u8).collect();
        assert_eq!(from_bytes(&bytes).unwrap_err().to_string(), error.to_string());
    }
    let expected = "the columns of N queens, none of which attack each other";
    assert!(rejection::<Placement>(json!("2031")).contains(expected));
    assert_eq!(rejection::<Queens>(json!([4, [[0, 2], [0, 2]]])), "0:1 is given twice");
    assert!(
        rejection::<Queens>(json!([4, [[0, 1], [4, 0]]])).starts_with("4:0 is outside the board")
    );
    assert!(rejection::<Queens>(json!([33, []])).starts_with("N = 33 is too large"));
    for count in [json!("092"), json!("-1"), json!("")] {
        let counts = json!({ "count2": count, "count4": "1", "count8": "11" });
        assert!(rejection::<ClassCounts>(counts).contains("as a decimal string"), "{count}");
    }
    let counts = json!({ "count2": "18446744073709551616", "count4": "1", "count8": "11" });
    assert_eq!(rejection::<ClassCounts>(counts), "a count must fit in 64 bits");
    let numbers = rejection::<Numbers>(json!([0, 0, 0, u64::MAX]));
    assert_eq!(numbers, "the number of solutions does not fit in 64 bits");
    assert!(rejection::<Checks>(json!(["sums", "magic"])).starts_with("expected one of sums, "));
}
